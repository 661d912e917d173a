import { currentLang, t, tn, type Key } from "../i18n";
import { phrase } from "../game/calls";
import { animalOf, isOfficial, nameOf, nearSeat, ownTeam } from "../state/names";
import { locked, submit, table } from "../state/session";
import type { Heard } from "../state/talk";
import type { Seat } from "../net/protocol.gen";
import { turnLength, type TableState } from "../state/table";
import { Avatar } from "./Avatar";
import { Ring } from "./Ring";
import { Tag } from "./Tag";
import { TileBacks } from "./TileFace";

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
      <Avatar animal={animalOf(state, seat)} />
    </Ring>
  );
}

/** What somebody has just said. */
export function Bubble({ line }: { readonly line: Heard }) {
  const words =
    line.kind === "phrase"
      ? [t(`phrase_${line.phrase}` satisfies Key)]
      : line.calls.map((call) => phrase(currentLang(), call));
  const key = line.kind === "phrase" ? `${line.seq} ${line.n}` : line.seq;
  return (
    <p class={`bubble ${line.kind}`} key={key} data-testid={`bubble-${line.seat}`} aria-hidden="true">
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
  readonly bubble: Heard | null;
}

function tagsOf(who: Seat | undefined): string[] {
  if (who?.kind === "bot") return [t("seatBot")];
  if (who?.stand_in !== undefined) return [t("seatStandIn")];
  return who?.gone ? [t("seatGone")] : [];
}

/** Where a person is gone, each of the others may let a bot play on (R32). */
function BotHere({ state, seat }: { readonly state: TableState; readonly seat: number }) {
  const { me, seats, phase, options } = state.view;
  const who = seats[seat];
  const isPlaying = phase !== "lobby" && phase !== "match_over";
  if (me === undefined || !isPlaying || isOfficial(state) || !who?.gone || who.stand_in !== undefined) return null;
  const d = { seat, level: options.level ?? "medium" };
  return (
    <button
      type="button"
      class="small bot-here"
      data-testid={`stand-in-${seat}`}
      aria-label={`${t("seatBotHere")}: ${t("seatBotHereLong", { name: nameOf(state, seat) })}`}
      onClick={() => void submit({ t: "seat.bot", table: state.id, d })}
    >
      {t("seatBotHere")}
    </button>
  );
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
    ...tagsOf(who),
    view.me === undefined ? "" : t(RELATIONS[place]),
    tn("seatTiles", count),
    onTurn ? t("seatOnTurn") : "",
  ];
  return (
    <div
      class={`seat at-${place} ${onTurn ? "on-turn" : ""} ${who?.gone ? "gone" : ""}`}
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
          <TileBacks count={count} testid={`count-${seat}`} />
          {tagsOf(who).map((tag) => (
            <Tag key={tag} text={tag} />
          ))}
        </span>
      </div>
      <BotHere state={state} seat={seat} />
      {bubble !== null && <Bubble line={bubble} />}
    </div>
  );
}
