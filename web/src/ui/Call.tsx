// The call to a match: over everything, in every tab, until it is answered. Its code is there from
// the start, since a call must not wait for a download.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { sentence, t, type Key } from "../i18n";
import { tablePath } from "../router";
import { raise } from "../sound/alarm";
import { animalTold, loadAnimals } from "../state/animals";
import { keyOf, type Call as CallState } from "../state/contest";
import { cut, msUntil, table } from "../state/session";
import { goToMatch, hush, pendingMatch, ringing } from "../state/summons";
import { Avatar } from "./Avatar";
import { Clock } from "./Clock";
import { matchName } from "./match";
import { Ring } from "./Ring";

export function Call() {
  const call = ringing.value;
  if (call !== null) return <Summons key={keyOf(call)} call={call} />;
  return pendingMatch.value === null ? null : <Strip call={pendingMatch.value} />;
}

/** The shortest time that the clock's ring is drawn for, in milliseconds. */
const SHORTEST = 15_000;

const tierOf = ({ tier }: CallState) => t(`tier_${tier}` satisfies Key);

function Summons({ call }: { readonly call: CallState }) {
  const ref = useRef<HTMLDialogElement>(null);
  const ready = useRef<HTMLButtonElement>(null);
  const [left] = useState(() => msUntil(call.startsAt) ?? 0);
  useLayoutEffect(() => {
    ref.current?.showModal();
    ready.current?.focus();
  }, []);
  useEffect(() => {
    void loadAnimals();
    return raise({
      title: t("callTitle"),
      text: t("callNote", { tier: tierOf(call) }),
      tag: keyOf(call),
      path: tablePath(call.table),
      onOpen: () => goToMatch(call),
    });
  }, []);
  const practising = table.value?.view.me !== undefined && table.value.view.championship === undefined;
  return (
    <dialog
      ref={ref}
      class="call"
      role="alertdialog"
      aria-labelledby="call-title"
      aria-describedby="call-text"
      data-testid="call"
      data-match={call.match}
      onClose={() => hush(call)}
    >
      <p class="call-tier">
        {tierOf(call)}&nbsp;· {matchName(call.match)}
      </p>
      <h2 id="call-title">{t(left > 0 ? "callTitle" : "callRuns")}</h2>
      <Ring onTurn endsAt={call.startsAt} whole={Math.max(SHORTEST, left)} unknown={cut.value} team="us">
        <Avatar animal={call.animal} />
      </Ring>
      <p class="call-clock" aria-hidden="true">
        <Clock at={call.startsAt} counted="brStarts" soon="callRuns" />
      </p>
      <p id="call-text">
        <b>{sentence("callYouAre", { animal: animalTold(call.animal) })}.</b> {t("callHint")}
        {practising && ` ${t("callPractice")}`}
      </p>
      <button ref={ready} type="button" class="primary big" data-testid="call-ready" onClick={() => goToMatch(call)}>
        {t("callReady")}
      </button>
      <button type="button" class="plain" data-testid="call-quiet" onClick={() => ref.current?.close()}>
        {t("callQuiet")}
      </button>
    </dialog>
  );
}

/** Who has silenced the call still sees that they are awaited. */
function Strip({ call }: { readonly call: CallState }) {
  return (
    <p class="call-strip" role="status" data-testid="call-strip">
      <span>{t("callStrip")}</span>
      <button type="button" class="small" data-testid="call-go" onClick={() => goToMatch(call)}>
        {t("callGo")}
      </button>
    </p>
  );
}
