import "../../styles/championship.css";
import "../../styles/bracket.css";
import "../../styles/tree.css";
import { useEffect, useState } from "preact/hooks";
import { t, when, type Key } from "../../i18n";
import type { Bracket } from "../../net/protocol.gen";
import { CHAMPIONSHIPS } from "../../router";
import { loadAnimals } from "../../state/animals";
import { brackets, type BracketState } from "../../state/contest";
import { firstPromise } from "../../state/promises";
import { attend } from "../../state/session";
import { Link } from "../../ui/Link";
import { Page } from "../../ui/Page";
import { Announcer } from "./Announcer";
import { Draw } from "./Draw";
import { Matches } from "./Matches";
import { Own } from "./Own";
import { Places } from "./Places";

/** One championship: one's own path, the whole tree, who was who, and whether the draw was fair. */
export default function BracketScreen({ id }: { readonly id: string }) {
  const [unknown, setUnknown] = useState(false);
  useEffect(() => {
    setUnknown(false);
    void loadAnimals();
    return attend({ t: "bracket.watch", d: { championship: id } }, () => setUnknown(true));
  }, [id]);
  const state = brackets.value.get(id);
  if (state !== undefined) return <Shown key={id} state={state} />;
  return (
    <Page title={t(unknown ? "brLost404" : "brBracket")}>
      {unknown ? <All /> : <p class="quiet">{t("loading")}</p>}
    </Page>
  );
}

function Shown({ state }: { readonly state: BracketState }) {
  const { bracket } = state;
  const { tier, stage } = bracket;
  useEffect(() => {
    firstPromise(bracket.id, bracket.commitment);
  }, []);
  return (
    <Page title={t(`tier_${tier}` satisfies Key)} aside={<All />} kind={`bracket-page ${tier}`}>
      <p class="facts" data-testid="bracket" data-stage={stage} data-version={bracket.version}>
        <Times bracket={bracket} />
      </p>
      {stage === "cancelled" && <Cancelled bracket={bracket} />}
      {bracket.mine !== undefined && <Own state={state} mine={bracket.mine} />}
      {stage === "over" && <Places bracket={bracket} />}
      <Matches state={state} />
      {stage !== "over" && <Places bracket={bracket} />}
      <Draw bracket={bracket} />
      <Announcer state={state} />
    </Page>
  );
}

function Times({ bracket: { stage, started, ended } }: { readonly bracket: Bracket }) {
  return (
    <>
      {stage === "running" && <b class="live">{t("brLive")}</b>}
      <span>{t("brStarted", { when: when(started) })}</span>
      {ended !== undefined && <span>{t("brEnded", { when: when(ended) })}</span>}
    </>
  );
}

function All() {
  return (
    <Link to={CHAMPIONSHIPS} testid="to-championships" class="button small">
      {t("brAll")}
    </Link>
  );
}

/** Ended by an operator: why, and what that means for who was in it. */
function Cancelled({ bracket: { reason = "", mine } }: { readonly bracket: Bracket }) {
  return (
    <section class="notice" role="alert" data-testid="cancelled">
      <h2>{t("brCancelled")}</h2>
      {reason !== "" && <p>{t("brReason", { reason })}</p>}
      <p>{t("brCancelledHint")}</p>
      {mine !== undefined && (
        <Link to={CHAMPIONSHIPS} testid="rejoin" class="button primary">
          {t("brRejoin")}
        </Link>
      )}
    </section>
  );
}
