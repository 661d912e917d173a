import { Sun } from "../../art/Sun";
import { tileKey } from "../../game/tiles";
import { about, t, tn, type Key } from "../../i18n";
import type { HandEnd as End } from "../../net/protocol.gen";
import { replayPath } from "../../router";
import { animalOf, nameOrYou, nearSeat, toldUnlessYou } from "../../state/names";
import type { TableState } from "../../state/table";
import { Avatar } from "../../ui/Avatar";
import { Countdown } from "../../ui/Countdown";
import { TilePicture } from "../../ui/TileFace";
import { Fairness } from "./Proof";
import { teamClass } from "./Side";

interface Props {
  readonly state: TableState;
  readonly end: End;
  onSeeTable(): void;
}

/** How the hand ended: kind, points, all four hands open; the sleeping tiles stay asleep (R2). */
export function HandEnd({ state, end, onSeeTable }: Props) {
  const tone = end.team === undefined ? "" : teamClass(state, end.team);
  return (
    <section class={`panel hand-end ${tone}`} aria-label={reason(end)} data-testid="hand-end">
      <header class="print">
        <svg class="rays" viewBox="-115 -115 230 230" aria-hidden="true">
          <Sun />
        </svg>
        <h2 data-testid="hand-end-reason">{reason(end)}</h2>
        <p class="points">{points(state, end)}</p>
      </header>
      <p class="why">
        {end.winner !== undefined && (
          <b>{about("endWinner", toldUnlessYou(state, end.winner))}. </b>
        )}
        {t(`reasonHint_${end.reason}` satisfies Key)}
      </p>
      <OpenHands state={state} end={end} />
      <footer>
        <Countdown at={state.nextDealAt} counted="endNext" soon="endNextSoon" testid="next-deal" />
        <Again state={state} />
        <button type="button" class="plain" data-testid="see-table" onClick={onSeeTable}>
          {t("endSeeTable")}
        </button>
      </footer>
    </section>
  );
}

/** In a window of its own: the match goes on in this one. */
function Again({ state: { id, view } }: { readonly state: TableState }) {
  return (
    <a class="text" href={replayPath(id, view.match, view.hand)} target="_blank" rel="noopener" data-testid="replay-hand">
      {t("endReplay")}
    </a>
  );
}

const reason = (end: End) => t(`reason_${end.reason}` satisfies Key);

export function points(state: TableState, end: End): string {
  if (end.team === undefined) return t("endNobody");
  const value = tn("endPoints", end.points);
  const times = end.multiplier;
  const sum = times > 1 ? `${t("endTimes", { points: end.points / times, times })} = ${value}` : value;
  return `${sum} ${whose(state, end.team)}`;
}

function whose(state: TableState, team: number): string {
  if (state.view.me === undefined) return t(team === 0 ? "endForTeamA" : "endForTeamB");
  return t(teamClass(state, team) === "us" ? "endForUs" : "endForThem");
}

/** What was left in the four hands, and whether they were dealt as promised. */
export function OpenHands({ state, end }: { readonly state: TableState; readonly end: End }) {
  const near = nearSeat(state);
  const seats = [0, 1, 2, 3].map((step) => (near + step) % 4);
  return (
    <>
      <ul class="open-hands" aria-label={t("endHands")}>
        {seats.map((seat) => (
          <OpenHand key={seat} state={state} end={end} seat={seat} />
        ))}
      </ul>
      <Fairness state={state} end={end} />
    </>
  );
}

function OpenHand({ state, end, seat }: { state: TableState; end: End; seat: number }) {
  const tiles = end.hands[seat] ?? [];
  const won = end.winner === seat;
  return (
    <li class={`${teamClass(state, seat % 2)} ${won ? "won" : ""}`} data-testid={`open-hand-${seat}`}>
      <Avatar animal={animalOf(state, seat)} />
      <span class="owner">
        <b>{nameOrYou(state, seat)}</b>
        <small>{tiles.length === 0 ? t("endOut") : tn("endCount", end.counts[seat] ?? 0)}</small>
      </span>
      <span class="tiles">
        {tiles.map((tile) => (
          <TilePicture key={tileKey(tile)} a={tile[0]} b={tile[1]} />
        ))}
      </span>
    </li>
  );
}
