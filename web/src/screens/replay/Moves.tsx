// All moves of a hand, to go to any of them.

import { useLayoutEffect, useRef } from "preact/hooks";
import type { PastHand } from "../../net/protocol.gen";
import { ownTeam } from "../../state/names";
import { pastNameOrYou } from "../../state/past";
import type { TableState } from "../../state/table";
import { TilePicture } from "../../ui/TileFace";
import type { Player } from "./player";
import { judged } from "./Judged";
import { called, opening } from "./telling";
import { p } from "./words";

interface Props {
  readonly hand: PastHand;
  readonly state: TableState;
  readonly player: Player;
}

export function Moves({ hand, state, player }: Props) {
  const list = useRef<HTMLOListElement>(null);
  const { move: now } = player.moment;
  useLayoutEffect(() => {
    const row = list.current?.querySelector<HTMLElement>('[aria-current="step"]');
    if (list.current && row) list.current.scrollTop = row.offsetTop - list.current.clientHeight / 2;
  }, [now, hand]);
  const goTo = (move: number) => player.go({ hand: hand.number, move });
  return (
    <section class="talk moves">
      <h2>{p("moves")}</h2>
      <ol ref={list} data-testid="moves">
        <li>
          <button type="button" aria-current={now === 0 ? "step" : undefined} onClick={() => goTo(0)}>
            <span class="what">{opening(hand, state)}</span>
          </button>
        </li>
        {hand.moves.map((move, i) => (
          <li key={i}>
            <button
              type="button"
              data-testid={`move-${i + 1}`}
              aria-current={now === i + 1 ? "step" : undefined}
              onClick={() => goTo(i + 1)}
            >
              <small>{i + 1}</small>
              <i class={`team ${move.seat % 2 === ownTeam(state) ? "us" : "them"}`} />
              <b>{pastNameOrYou(state, move.seat)}</b>
              <span class="what">
                {called(move)}
                <em>{judged({ hand: hand.number, move: i + 1 })}</em>
              </span>
              {move.tile !== undefined && <TilePicture a={move.tile[0]} b={move.tile[1]} />}
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
