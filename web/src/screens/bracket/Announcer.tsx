// What has changed in the bracket since it was shown, for who hears it.

import { useRef } from "preact/hooks";
import { t } from "../../i18n";
import type { Match } from "../../net/protocol.gen";
import type { BracketState } from "../../state/contest";
import { matchName } from "../../ui/match";
import { story } from "./Match";

const decided = (matches: readonly Match[]) => matches.filter(({ winner }) => winner !== undefined);

export function Announcer({ state }: { readonly state: BracketState }) {
  const { bracket } = state;
  const known = useRef(new Set(decided(bracket.matches).map(({ id }) => id)));
  const said = useRef("");
  const news = decided(bracket.matches).filter(({ id }) => !known.current.has(id));
  if (news.length > 0) {
    for (const { id } of news) known.current.add(id);
    said.current = news.map((match) => `${matchName(match.id)}: ${story(bracket, match)}.`).join(" ");
    if (bracket.stage === "cancelled") said.current = t("brCancelled");
  }
  return (
    <p class="unseen" aria-live="polite" data-testid="live">
      {said.current}
    </p>
  );
}
