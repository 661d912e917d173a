// A hand in plain words, to be sent to somebody.

import { shortCode, spelled } from "../../game/ids";
import { tileKey } from "../../game/tiles";
import { t } from "../../i18n";
import type { PastHand } from "../../net/protocol.gen";
import { pastName } from "../../state/past";
import type { TableState } from "../../state/table";
import { called, endTold, matchTold, opening } from "./telling";
import { p } from "./words";

const GAP = "  ";

/** Teams, hands, each move on a line of its own, and the end; nobody is "you" here. */
export function handInWords(hand: PastHand, shown: TableState): string {
  const { me: _, ...view } = shown.view;
  const state: TableState = { ...shown, view };
  const name = (seat: number) => pastName(state, seat);
  const teams = [0, 1].map((team) => t("brTeam", { one: name(team), other: name(team + 2) }));
  const width = String(hand.moves.length).length;
  return [
    `${t("appTitle")} · ${p("title", { hand: hand.number, code: spelled(shortCode(state.id)) })}`,
    teams.join(" × "),
    "",
    ...hand.dealt.map((tiles, seat) => `${name(seat)}: ${tiles.map(tileKey).join(GAP)}`),
    "",
    opening(hand, state),
    ...hand.moves.map((move, i) => {
      const tile = move.tile === undefined ? "" : ` ${tileKey(move.tile)}`;
      return `${String(i + 1).padStart(width)}. ${name(move.seat)}${tile} · ${called(move)}`;
    }),
    "",
    endTold(hand.end, state),
    ...(view.match_end === undefined ? [] : [matchTold(view.match_end, state)]),
  ].join("\n");
}
