// What happened at a moment, in words: for the prompt, the live region and the text to share.

import { phrase, resultName } from "../../game/calls";
import { handAt } from "../../game/replay";
import { about, currentLang, t, type Key } from "../../i18n";
import type { HandEnd, MatchEnd, Move, PastHand, Replay } from "../../net/protocol.gen";
import { pastName, pastUnlessYou } from "../../state/past";
import type { TableState } from "../../state/table";
import { tileName } from "../../ui/words";
import { points } from "../table/HandEnd";
import { p } from "./words";

/** The words that were called. */
export const called = ({ calls }: Move) => calls.map((call) => phrase(currentLang(), call)).join(" ");

/** Who moved in somebody's place. */
export function instead({ by }: Move, state: TableState, seat: number): string {
  if (by === "clock") return p("byClock");
  return by === "bot" && state.view.seats[seat]?.kind === "person" ? p("byBot") : "";
}

/** How a hand began: who chose, and who opened. */
export function opening({ choice, opener }: PastHand, state: TableState): string {
  const name = pastUnlessYou(state, opener);
  if (choice === undefined) return about("talkChose", name);
  if (choice.seat === opener) return name === null ? p("choseSelf_you") : p("choseSelf", { name });
  const chooser = pastUnlessYou(state, choice.seat);
  const other = name ?? t("lobbyYou");
  return chooser === null ? p("chose_you", { opener: other }) : p("chose", { name: chooser, opener: other });
}

/** A move as a sentence. */
export function moveTold(move: Move, state: TableState): string {
  const name = pastUnlessYou(state, move.seat);
  if (move.tile === undefined) return about("readPassed", name);
  const key = { left: "readPlayedLeft", right: "readPlayedRight" } as const;
  const values = { tile: tileName(move.tile), words: called(move) };
  return about(move.end === undefined ? "readPlayed" : key[move.end], name, values);
}

/** The end of a hand: kind and points. */
export const endTold = (end: HandEnd, state: TableState) =>
  `${t(`reason_${end.reason}` satisfies Key)}: ${points(state, end)}`;

/** Who won the match, and how. */
export function matchTold(end: MatchEnd, state: TableState): string {
  const [won, lost] = [end.scores[end.team], end.scores[1 - end.team]];
  const score = t("matchScore", { us: won ?? 0, them: lost ?? 0 });
  const [one, other] = [pastName(state, end.team), pastName(state, end.team + 2)];
  const words = p("won", { one, other, score });
  if (end.buchuda_de_re) return `${words} ${resultName(currentLang(), "buchuda_de_re")}!`;
  return end.buchuda ? `${words} ${resultName(currentLang(), "buchuda")}!` : words;
}

/** Everything that is new at a moment. */
export function told(replay: Replay, state: TableState, move: number): string {
  const hand = handAt(replay, state.view.hand);
  if (hand === undefined) return "";
  const { hand_end: end, match_end: match } = state.view;
  const now = hand.moves[move - 1];
  const parts = [
    now === undefined ? `${p("handOf", { n: hand.number })}. ${opening(hand, state)}.` : moveTold(now, state),
    end === undefined ? "" : `${endTold(end, state)}.`,
    match === undefined ? "" : matchTold(match, state),
  ];
  return parts.filter((part) => part !== "").join(" ");
}
