// Who sat where, what they held, and what they have just called.

import type { ComponentChildren } from "preact";
import { tileKey } from "../../game/tiles";
import { t, tn } from "../../i18n";
import type { Move, Tile } from "../../net/protocol.gen";
import { animalOf, nearSeat, ownTeam } from "../../state/names";
import { pastName } from "../../state/past";
import type { TableState } from "../../state/table";
import { Avatar } from "../../ui/Avatar";
import { Ring } from "../../ui/Ring";
import { Tag } from "../../ui/Tag";
import { TilePicture } from "../../ui/TileFace";
import { tileName } from "../../ui/words";
import { called, instead } from "./telling";
import { p } from "./words";

const PLACES = ["near", "left", "top", "right"] as const;

interface Props {
  readonly state: TableState;
  readonly seat: number;
  readonly tiles: readonly Tile[];
  /** Whether the tiles are shown, or their backs. */
  readonly open: boolean;
  /** The newest move, if it was made here. */
  readonly move: Move | undefined;
}

function SeatRound({ state, seat, move }: Omit<Props, "tiles" | "open">) {
  return (
    <Ring
      onTurn={move !== undefined}
      endsAt={null}
      whole={0}
      unknown={false}
      team={seat % 2 === ownTeam(state) ? "us" : "them"}
    >
      <Avatar animal={animalOf(state, seat)} />
    </Ring>
  );
}

/** One of the three others. */
export function PastSeat({ state, seat, tiles, open, move }: Props) {
  const who = state.view.seats[seat];
  const place = PLACES[(seat - nearSeat(state) + 4) % 4] ?? "near";
  const name = pastName(state, seat);
  const tags = [
    who?.kind === "bot" ? t("seatBot") : "",
    who?.stand_in === undefined ? "" : t("seatStandIn"),
    move === undefined ? "" : instead(move, state, seat),
  ].filter((tag) => tag !== "");
  return (
    <div
      class={`seat at-${place} ${move === undefined ? "" : "on-turn"}`}
      data-testid={`seat-${seat}`}
      role="group"
      aria-label={[name, ...tags, tn("seatTiles", tiles.length)].join(", ")}
    >
      <SeatRound state={state} seat={seat} move={move} />
      <div class="who">
        <span class="name">
          <i class={`team ${seat % 2 === ownTeam(state) ? "us" : "them"}`} />
          <b>{name}</b>
        </span>
        {tags.map((tag) => (
          <Tag key={tag} text={tag} />
        ))}
      </div>
      <Held label={p("handLabel", { name })} tiles={tiles} open={open} testid={`held-${seat}`} />
      {move !== undefined && (
        <p class="bubble" aria-hidden="true" data-testid={`bubble-${seat}`}>
          {called(move)}
        </p>
      )}
    </div>
  );
}

interface HeldProps {
  readonly label: string;
  readonly tiles: readonly Tile[];
  readonly open: boolean;
  readonly testid: string;
}

/** A hand as a row of tiles, or of backs. */
function Held({ label, tiles, open, testid }: HeldProps) {
  return (
    <ul class="past-hand" data-testid={testid} aria-label={label}>
      {tiles.map((tile) => (
        <li key={tileKey(tile)} data-tile={open ? tileKey(tile) : undefined}>
          {open && <span class="unseen">{tileName(tile)}</span>}
          {open ? <TilePicture a={tile[0]} b={tile[1]} /> : <i class="tile-back" />}
        </li>
      ))}
    </ul>
  );
}

/** The near edge: whoever looks, or seat 0. */
export function NearSeat({ state, seat, tiles, open, move, children }: Props & { readonly children: ComponentChildren }) {
  return (
    <>
      <div class={`self ${move === undefined ? "" : "on-turn"}`} data-testid={`seat-${seat}`}>
        <SeatRound state={state} seat={seat} move={move} />
        {children}
      </div>
      <Held
        label={seat === state.view.me ? t("handLabel") : p("handLabel", { name: pastName(state, seat) })}
        tiles={tiles}
        open={open}
        testid={`held-${seat}`}
      />
    </>
  );
}
