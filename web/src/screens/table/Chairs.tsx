// Four chairs round a table: who sits where, who is whose partner, and who may change that.

import { useState } from "preact/hooks";
import { Sun } from "../../art/Sun";
import { t } from "../../i18n";
import type { Level } from "../../net/protocol.gen";
import { animalOf, nameOf, nearSeat, ownTeam } from "../../state/names";
import { submit } from "../../state/session";
import type { TableState } from "../../state/table";
import { Avatar } from "../../ui/Avatar";
import { Tag } from "../../ui/Tag";

export const SEATS = [0, 1, 2, 3] as const;
const PLACES = ["near", "left", "top", "right"] as const;

interface Props {
  readonly state: TableState;
}

interface SeatProps extends Props {
  readonly seat: number;
}

export function Chairs({ state }: Props) {
  return (
    <section class="chairs" aria-label={t("lobbyTitle")}>
      <svg class="clay-top" viewBox="-115 -115 230 230" aria-hidden="true">
        <Sun />
      </svg>
      {SEATS.map((seat) => (
        <Chair key={seat} state={state} seat={seat} />
      ))}
      <div class="middle">
        <h1>{t("lobbyTitle")}</h1>
        <p>{t("lobbyTeams")}</p>
        <Pairs state={state} />
      </div>
    </section>
  );
}

/** The two pairs by name, once somebody sits there. */
function Pairs({ state }: Props) {
  const { seats } = state.view;
  const pairs = [0, 1].filter((seat) => seats[seat]?.kind !== "empty" && seats[seat + 2]?.kind !== "empty");
  return (
    <ul class="pairs">
      {pairs.map((seat) => (
        <li key={seat}>
          <i class={`team ${seat === ownTeam(state) ? "us" : "them"}`} />
          {t("lobbyPartners", { one: nameOf(state, seat), other: nameOf(state, seat + 2) })}
        </li>
      ))}
    </ul>
  );
}

function Chair({ state, seat }: SeatProps) {
  const { me, seats } = state.view;
  const who = seats[seat];
  const place = PLACES[(seat - nearSeat(state) + 4) % 4];
  const team = seat % 2 === ownTeam(state) ? "us" : "them";
  const empty = who?.kind === "empty";
  const classes = ["chair", `at-${place}`, team, empty ? "empty" : "", who?.gone ? "gone" : ""];
  return (
    <div class={classes.filter((name) => name !== "").join(" ")} data-testid={`chair-${seat}`}>
      <span class="disc">{!empty && <Avatar animal={animalOf(state, seat)} />}</span>
      <span class="name">
        <i class={`team ${team}`} />
        <b>{empty ? t("lobbyEmpty") : nameOf(state, seat)}</b>
        {tagsOf(state, seat).map(([kind, text]) => (
          <Tag key={kind} kind={kind} text={text} />
        ))}
      </span>
      {me !== undefined && place === "top" && <small class="relation">{t("lobbyPartnerYours")}</small>}
      <span class="actions">
        <Actions state={state} seat={seat} />
      </span>
    </div>
  );
}

/** What kind of sitter it is: a class name and the word for it. */
function tagsOf({ view }: TableState, seat: number): (readonly [string, string])[] {
  const who = view.seats[seat];
  if (who?.kind === "bot") return [["bot", t("seatBot")]];
  if (view.me === seat) return [["you", t("lobbyYou")]];
  if (who?.gone) return [["away", t("seatGone")]];
  return who?.guest ? [["guest", t("seatGuest")]] : [];
}

/** What the viewer may do with a chair; until a match begins, and between matches. */
function Actions({ state, seat }: SeatProps) {
  const { me, host, seats } = state.view;
  switch (seats[seat]?.kind) {
    case "empty":
      return <EmptyActions state={state} seat={seat} />;
    case "bot":
      return (
        <>
          {me !== undefined && <Unbot state={state} seat={seat} />}
          <MakePartner state={state} seat={seat} />
        </>
      );
    default:
      if (seat === me) return <GetUp state={state} />;
      return (
        <>
          <MakePartner state={state} seat={seat} />
          {me !== undefined && me === host && <Kick key={nameOf(state, seat)} state={state} seat={seat} />}
        </>
      );
  }
}

/** The level at which the table's bots play. */
const levelOf = (state: TableState): Level => state.view.options.level ?? "medium";

function EmptyActions({ state, seat }: SeatProps) {
  const { me } = state.view;
  const d = { seat, level: levelOf(state) };
  const bot = () => void submit({ t: "seat.bot", table: state.id, d });
  return (
    <>
      <Action
        testid={`sit-${seat}`}
        text={t(me === undefined ? "lobbySit" : "lobbyMove")}
        act={() => void moveTo(state, seat)}
        primary={me === undefined}
      />
      {me !== undefined && <Action testid={`bot-${seat}`} text={t("lobbyBot")} act={bot} />}
    </>
  );
}

/** The host changes places and stays the host; anybody else gets up first. */
async function moveTo({ id: table, view: { me, host } }: TableState, seat: number): Promise<void> {
  if (me !== undefined && me === host) {
    await submit({ t: "table.swap", table, d: { seats: [me, seat] } });
    return;
  }
  if (me !== undefined && !(await submit({ t: "table.leave", table })).ok) return;
  await submit({ t: "table.sit", table, d: { seat } });
}

function Unbot({ state, seat }: SeatProps) {
  const unbot = () => void submit({ t: "seat.unbot", table: state.id, d: { seat } });
  return <Action testid={`unbot-${seat}`} text={t("lobbyUnbot")} act={unbot} />;
}

/** The host's way to change who plays with whom: a rival and the partner change places. */
function MakePartner({ state, seat }: SeatProps) {
  const { me, host } = state.view;
  if (me === undefined || me !== host || seat % 2 === me % 2) return null;
  const seats = [seat, (me + 2) % 4] as const;
  const swap = () => void submit({ t: "table.swap", table: state.id, d: { seats } });
  return <Action testid={`partner-${seat}`} text={t("lobbyMakePartner")} act={swap} />;
}

/** Sending somebody away takes a second word. */
function Kick({ state, seat }: SeatProps) {
  const [asked, setAsked] = useState(false);
  const kick = () => void submit({ t: "table.kick", table: state.id, d: { seat } });
  return asked ? (
    <Action testid={`kick-yes-${seat}`} text={t("lobbyKickSure")} act={kick} danger />
  ) : (
    <Action testid={`kick-${seat}`} text={t("lobbyKick")} act={() => setAsked(true)} />
  );
}

function GetUp({ state }: Props) {
  const getUp = () => void submit({ t: "table.leave", table: state.id });
  return <Action testid="get-up" text={t("lobbyLeave")} act={getUp} />;
}

interface ActionProps {
  readonly testid: string;
  readonly text: string;
  readonly primary?: boolean;
  readonly danger?: boolean;
  act(): void;
}

function Action({ testid, text, primary = false, danger = false, act }: ActionProps) {
  const kind = primary ? "primary small" : danger ? "danger small" : "small";
  return (
    <button type="button" class={kind} data-testid={testid} onClick={act}>
      {text}
    </button>
  );
}
