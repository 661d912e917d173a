// What a bot thinks of the moves: looked for when somebody wants to know, told as it is found.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { handAt, type Moment } from "../../game/replay";
import { t } from "../../i18n";
import { askJudgement } from "../../net/past";
import type { Judgement, Replay } from "../../net/protocol.gen";
import { ownTeam } from "../../state/names";
import { pastNameOrYou } from "../../state/past";
import { say } from "../../state/session";
import { guestToken } from "../../state/settings";
import type { TableState } from "../../state/table";
import { tileName } from "../../ui/words";
import { p } from "./words";

const PAUSE = 1000;
const judgement = signal<Judgement | null>(null);
const verdicts = () => judgement.value?.verdicts ?? [];
const percent = (share: number) => `${Math.round(100 * share)} %`;

/** The word for a move, and what would have been better by how much. */
export function judged({ hand, move }: Moment): string {
  const found = verdicts().find((one) => one.hand === hand && one.move === move);
  if (found === undefined || found.word === "best") return found === undefined ? "" : p("best");
  const [best, made] = found.equity;
  return `${p(found.word)}: ${tileName(found.best)} +${percent(best - made)}`;
}

interface Props {
  readonly replay: Replay;
  readonly state: TableState;
}

/** The chance to win the match after the newest verdict, for the team in blue. */
export function Chance({ replay, state, hand, move }: Props & Moment) {
  const last = verdicts().findLast((one) => one.hand < hand || (one.hand === hand && one.move <= move));
  const seat = last && handAt(replay, last.hand)?.moves[last.move - 1]?.seat;
  if (last === undefined || seat === undefined) return null;
  const chance = percent(seat % 2 === ownTeam(state) ? last.equity[1] : 1 - last.equity[1]);
  return (
    <div class="chance" role="img" data-testid="chance" aria-label={p("chance", { chance })} title={chance}>
      <i style={{ width: chance.replace(" ", "") }} />
    </div>
  );
}

async function ask({ table, match }: Replay) {
  const reply = await askJudgement(table, match, guestToken());
  if (reply.ok) judgement.value = reply.value;
  else say(p("later"));
}

/** Asks on until all is judged, and forgets it with the match. */
export function useJudging(replay: Replay): void {
  const found = judgement.value;
  useEffect(() => () => void (judgement.value = null), []);
  useEffect(() => {
    if (found === null || verdicts().length === found.choices) return undefined;
    const timer = setTimeout(() => void ask(replay), PAUSE);
    return () => clearTimeout(timer);
  }, [found]);
}

/** Has the match judged, and says how well everybody played. */
export function Judge({ replay, state }: Props) {
  const found = judgement.value;
  if (found === null)
    return (
      <button type="button" class="small" data-testid="judge" onClick={() => void ask(replay)}>
        {p("judge")}
      </button>
    );
  return (
    <section>
      <h2>{p("accuracy")}</h2>
      <ul data-testid="accuracy">
        {found.accuracies?.map(({ seat, who, good, choices }) => (
          <li key={seat + who.kind}>
            {pastNameOrYou(state, seat)}
            {who.kind === "bot" && ` (${t("seatBot")})`}: {percent(good / choices)}
          </li>
        )) ?? `${verdicts().length}/${found.choices}`}
      </ul>
    </section>
  );
}
