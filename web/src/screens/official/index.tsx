// What is different at a championship's table: nobody invites, leaves or puts bots anywhere, and
// after the match the bracket goes on.

import { useEffect } from "preact/hooks";
import { t, type Key } from "../../i18n";
import { standingOf, type Standing } from "../../game/path";
import { bracketPath, go } from "../../router";
import { brackets, type BracketState } from "../../state/contest";
import { animalOf, nameOf } from "../../state/names";
import { attend } from "../../state/session";
import type { TableState } from "../../state/table";
import { Avatar } from "../../ui/Avatar";
import { Countdown } from "../../ui/Countdown";
import { Link } from "../../ui/Link";
import { matchName, placeName, pointsName } from "../../ui/match";
import { Sun } from "../../art/Sun";
import { SEATS } from "../table/Chairs";

interface Props {
  readonly state: TableState;
}

/** The championship behind a table, kept up to date while the table is shown. */
export function useBracket({ view }: TableState): BracketState | null {
  const { championship = "" } = view;
  useEffect(() => {
    if (championship === "") return undefined;
    return attend({ t: "bracket.watch", d: { championship } });
  }, [championship]);
  return brackets.value.get(championship) ?? null;
}

/** Before the match: who sits where, as animals, and when it begins. */
export function Gathering({ state }: Props) {
  const { championship = "", official = "", me } = state.view;
  const bracket = useBracket(state)?.bracket;
  return (
    <main class="gathering" id="game" data-testid="gathering">
      <p class="call-tier">
        {bracket !== undefined && `${t(`tier_${bracket.tier}` satisfies Key)}\u00a0· `}
        {matchName(official)}
      </p>
      <h1>{t("offTitle")}</h1>
      {state.nextDealAt !== null && (
        <Countdown at={state.nextDealAt} counted="offStarts" soon="offSoon" testid="starts-in" />
      )}
      <section class="round-table" aria-label={t("lobbyTitle")}>
        <svg class="clay-top" viewBox="-115 -115 230 230" aria-hidden="true">
          <Sun />
        </svg>
        {SEATS.map((seat) => (
          <Guest key={seat} state={state} seat={seat} />
        ))}
      </section>
      {me !== undefined && <p>{t("offSecret")}</p>}
      <p class="quiet">{t("offClock")}</p>
      <Link to={bracketPath(championship)} testid="gathering-bracket">
        {t("cupBracket")}
      </Link>
    </main>
  );
}

const PLACES = ["near", "left", "top", "right"] as const;

function Guest({ state, seat }: Props & { readonly seat: number }) {
  const { me = 0, seats } = state.view;
  const place = PLACES[(seat - me + 4) % 4];
  const own = seat === state.view.me;
  return (
    <div class={`guest at-${place} ${seat % 2 === me % 2 ? "us" : "them"}`} data-testid={`guest-${seat}`}>
      <span class="disc">
        <Avatar animal={animalOf(state, seat)} />
      </span>
      <span class="name">
        <i class={`team ${seat % 2 === me % 2 ? "us" : "them"}`} /> <b>{nameOf(state, seat)}</b>{" "}
        {own && <span class="tag you">{t("lobbyYou")}</span>}{" "}
        {seats[seat]?.gone === true && <span class="tag away">{t("seatGone")}</span>}
      </span>
    </div>
  );
}

/** After the match: what it means for the viewer's team, and where it goes on. */
export function AfterMatch({ state }: Props) {
  const { championship = "", official = "" } = state.view;
  const bracket = useBracket(state)?.bracket;
  const own = bracket?.mine?.team;
  const decided = bracket?.matches.find(({ id }) => id === official)?.winner !== undefined;
  const standing = bracket === undefined || own === undefined || !decided ? null : standingOf(bracket, own);
  return (
    <>
      {standing !== null && (
        <p class="after" data-testid="after-match" data-standing={standing.kind}>
          {afterText(standing)}
        </p>
      )}
      {standing === null && <p class="quiet">{t("offFinal", { match: matchName(official) })}</p>}
      <Link to={bracketPath(championship)} testid="after-bracket" class="button primary">
        {t("cupBracket")}
      </Link>
    </>
  );
}

function afterText(standing: Standing): string {
  switch (standing.kind) {
    case "plays":
      return t("offNext", { match: matchName(standing.step.match) });
    case "waits": {
      const { match, awaits } = standing.step;
      const next = t("offNext", { match: matchName(match) });
      return awaits === null ? next : `${next}. ${t("offAwaits", { match: matchName(awaits.match) })}`;
    }
    case "stopped":
      return t("brCancelled");
    default: {
      const { place = [1, 1] as const, points = 0 } = standing.team;
      const values = { place: placeName(place), points: pointsName(points) };
      return t(standing.kind === "champion" ? "offChampion" : "offOut", values);
    }
  }
}

/** One's seat can't be given up; one can look at something else, and come back. */
export function LookAway() {
  return (
    <div class="row">
      <button type="button" data-testid="look-away" onClick={() => go("/")}>
        {t("offHome")}
      </button>
      <small>{t("offAway")}</small>
    </div>
  );
}
