import { t, tn } from "../i18n";
import { phrase } from "../game/calls";
import { currentLang } from "../i18n";
import { animalOf, nameOf, nearSeat, ownTeam } from "../state/names";
import { locked, table } from "../state/session";
import type { Line } from "../state/talk";
import { turnLength, type TableState } from "../state/table";
import { Avatar } from "./Avatar";
import { Ring } from "./Ring";
import { TileBack } from "./TileFace";

/** The round with the animal and the turn's clock around it. */
export function SeatRing({ state, seat }: { readonly state: TableState; readonly seat: number }) {
  const { turn } = state.view;
  return (
    <Ring
      onTurn={turn?.seat === seat}
      endsAt={turn?.seat === seat ? state.turnEndsAt : null}
      whole={turnLength(state.view)}
      unknown={locked.value}
      team={seat % 2 === ownTeam(state) ? "us" : "them"}
    >
      <Avatar animal={animalOf(state.id, seat)} />
    </Ring>
  );
}

/** What somebody has just said. */
export function Bubble({ line }: { readonly line: Extract<Line, { kind: "said" }> }) {
  const words = line.calls.map((call) => phrase(currentLang(), call));
  return (
    <p class="bubble" key={line.seq} data-testid={`bubble-${line.seat}`} aria-hidden="true">
      {words.map((text) => (
        <span key={text}>{text}</span>
      ))}
    </p>
  );
}

const PLACES = ["near", "left", "top", "right"] as const;

const RELATIONS = {
  near: "seatYou",
  left: "seatNext",
  top: "seatPartner",
  right: "seatBefore",
} as const;

interface Props {
  readonly seat: number;
  readonly bubble: Extract<Line, { kind: "said" }> | null;
}

/** A seat of somebody else: who sits there, how many tiles they hold, what they say. */
export function SeatBadge({ seat, bubble }: Props) {
  const state = table.value;
  if (state === null) return null;
  const { view } = state;
  const who = view.seats[seat];
  const count = view.counts[seat] ?? 0;
  const onTurn = view.turn?.seat === seat;
  const place = PLACES[(seat - nearSeat(state) + 4) % 4] ?? "near";
  const team = seat % 2 === ownTeam(state) ? "us" : "them";
  const name = nameOf(state, seat);
  const label = [
    name,
    who?.kind === "bot" ? t("seatBot") : "",
    view.me === undefined ? "" : t(RELATIONS[place]),
    tn("seatTiles", count),
    onTurn ? t("seatOnTurn") : "",
  ];
  return (
    <div
      class={`seat at-${place} ${onTurn ? "on-turn" : ""}`}
      data-testid={`seat-${seat}`}
      role="group"
      aria-label={label.filter((part) => part !== "").join(", ")}
    >
      <SeatRing state={state} seat={seat} />
      <div class="who" aria-hidden="true">
        <span class="name">
          <i class={`team ${team}`} />
          <b>{name}</b>
        </span>
        <span class="held">
          <span class={`backs ${count === 1 ? "last" : ""}`} data-testid={`count-${seat}`}>
            {Array.from({ length: count }, (_, i) => (
              <TileBack key={i} />
            ))}
          </span>
          {who?.kind === "bot" && <span class="tag">{t("seatBot")}</span>}
        </span>
      </div>
      {bubble !== null && <Bubble line={bubble} />}
    </div>
  );
}
