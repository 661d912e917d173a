// Before the first match: four chairs round the table, whom to invite, when to start.

import { signal } from "@preact/signals";
import { Sun } from "../../art/Sun";
import { t } from "../../i18n";
import type { Level } from "../../net/protocol.gen";
import { animalOf, nameOf, nearSeat, ownTeam } from "../../state/names";
import { submit } from "../../state/session";
import type { TableState } from "../../state/table";
import { Avatar } from "../../ui/Avatar";
import { Choice } from "../../ui/Settings";
import { Invite } from "./Invite";

const SEATS = [0, 1, 2, 3] as const;
const PLACES = ["near", "left", "top", "right"] as const;

const level = signal<Level>("simple");

export function Lobby({ state }: { readonly state: TableState }) {
  const { me, seats } = state.view;
  const anyBot = seats.some(({ kind }) => kind !== "person");
  return (
    <main class="lobby" id="game">
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
        </div>
      </section>
      <section class="arrange">
        <Start state={state} />
        {me !== undefined && anyBot && (
          <Choice
            label={t("lobbyLevel")}
            testid="level"
            value={level.value}
            options={[
              ["simple", t("lobbyLevelSimple")],
              ["random", t("lobbyLevelRandom")],
            ]}
            onChoose={(chosen) => (level.value = chosen)}
          />
        )}
        <Invite table={state.id} />
      </section>
    </main>
  );
}

function Chair({ state, seat }: { readonly state: TableState; readonly seat: number }) {
  const { me, seats } = state.view;
  const who = seats[seat];
  const place = PLACES[(seat - nearSeat(state) + 4) % 4];
  const team = seat % 2 === ownTeam(state) ? "us" : "them";
  const mine = me === seat;
  const empty = who?.kind === "empty";
  return (
    <div class={`chair at-${place} ${team} ${empty ? "empty" : ""}`} data-testid={`chair-${seat}`}>
      <span class="disc">{!empty && <Avatar animal={animalOf(state.id, seat)} />}</span>
      <span class="name">
        <i class={`team ${team}`} />
        <b>{empty ? t("lobbyEmpty") : nameOf(state, seat)}</b>
        {mine && <span class="tag">{t("lobbyYou")}</span>}
        {who?.kind === "bot" && <span class="tag">{t("seatBot")}</span>}
        {who?.kind === "person" && !mine && who.guest && <span class="tag">{t("seatGuest")}</span>}
      </span>
      <span class="actions">
        <ChairActions state={state} seat={seat} />
      </span>
    </div>
  );
}

function ChairActions({ state, seat }: { readonly state: TableState; readonly seat: number }) {
  const { me, seats } = state.view;
  const table = state.id;
  const kind = seats[seat]?.kind;
  if (kind === "bot" && me !== undefined) {
    const unbot = () => void submit({ t: "seat.unbot", table, d: { seat } });
    return <Action testid={`unbot-${seat}`} text={t("lobbyUnbot")} act={unbot} />;
  }
  if (me === seat) {
    const getUp = () => void submit({ t: "table.leave", table });
    return <Action testid="get-up" text={t("lobbyLeave")} act={getUp} />;
  }
  if (kind !== "empty") return null;
  const bot = () => void submit({ t: "seat.bot", table, d: { seat, level: level.value } });
  const sit = () => void moveTo(table, seat, me !== undefined);
  return (
    <>
      <Action
        testid={`sit-${seat}`}
        text={t(me === undefined ? "lobbySit" : "lobbyMove")}
        act={sit}
        primary={me === undefined}
      />
      {me !== undefined && <Action testid={`bot-${seat}`} text={t("lobbyBot")} act={bot} />}
    </>
  );
}

/** Who sits already gets up first. */
async function moveTo(table: string, seat: number, seated: boolean): Promise<void> {
  if (seated && !(await submit({ t: "table.leave", table })).ok) return;
  await submit({ t: "table.sit", table, d: { seat } });
}

interface ActionProps {
  readonly testid: string;
  readonly text: string;
  readonly primary?: boolean;
  act(): void;
}

function Action({ testid, text, primary = false, act }: ActionProps) {
  return (
    <button type="button" class={primary ? "primary small" : "small"} data-testid={testid} onClick={act}>
      {text}
    </button>
  );
}

/** Starting is the host's; bots come only where somebody puts them. */
function Start({ state }: { readonly state: TableState }) {
  const { me, host, seats } = state.view;
  const empty = SEATS.filter((seat) => seats[seat]?.kind === "empty");
  if (me === undefined || me !== host) {
    const text =
      host === undefined ? t("lobbyHostWaitNobody") : t("lobbyHostWait", { name: nameOf(state, host) });
    return <p class="waiting">{text}</p>;
  }
  const table = state.id;
  const fill = () => {
    for (const seat of empty) {
      void submit({ t: "seat.bot", table, d: { seat, level: level.value } });
    }
  };
  const start = () => void submit({ t: "table.start", table, d: { level: level.value } });
  if (empty.length > 0) {
    return (
      <div class="start">
        <button type="button" class="primary big" data-testid="fill" onClick={fill}>
          {t("lobbyFill")}
        </button>
        <p class="quiet">{t("lobbyStartWait")}</p>
      </div>
    );
  }
  return (
    <div class="start">
      <button type="button" class="primary big" data-testid="start" onClick={start}>
        {t("lobbyStart")}
      </button>
    </div>
  );
}
