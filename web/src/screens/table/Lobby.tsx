// Before the first match: who sits where, whom to invite, when to start.

import { t, tn } from "../../i18n";
import { nameOf } from "../../state/names";
import { submit, watchers } from "../../state/session";
import type { TableState } from "../../state/table";
import { Countdown } from "../../ui/Countdown";
import { OptionsList } from "../../ui/Options";
import { Chairs, SEATS } from "./Chairs";
import { OpenAnother } from "./Closed";
import { Invite } from "./Invite";
import { leave } from "./MatchEnd";

export function Lobby({ state }: { readonly state: TableState }) {
  return (
    <main class="lobby" id="game">
      {state.nextDealAt !== null && <StartsByItself state={state} at={state.nextDealAt} />}
      <Chairs state={state} />
      <section class="arrange">
        <Code code={state.view.code} />
        <OptionsList options={state.view.options} />
        <Start state={state} />
        <Invite state={state} />
        {watchers.value > 0 && (
          <p class="quiet" data-testid="watchers">
            {tn("lobbyWatching", watchers.value)}
          </p>
        )}
      </section>
    </main>
  );
}

/** Large, in two groups, so that it can be read out across a room. */
function Code({ code }: { readonly code: string }) {
  if (code === "") return null;
  return (
    <p class="table-code">
      <span>{t("lobbyCode")}</span>
      <b data-testid="code" aria-label={[...code].join(" ")}>
        <i>{code.slice(0, 3)}</i>
        <i>{code.slice(3)}</i>
      </b>
    </p>
  );
}

/** Starting is the host's, unless the table starts by itself; empty chairs are filled with bots. */
function Start({ state }: { readonly state: TableState }) {
  const { me, host, seats, options } = state.view;
  const empty = SEATS.filter((seat) => seats[seat]?.kind === "empty").length;
  const level = options.level ?? "medium";
  const start = () => void submit({ t: "table.start", table: state.id, d: { level } });
  const text = empty === 0 ? t("lobbyStart") : tn("lobbyStartWith", empty);
  return (
    <div class="start">
      {me !== undefined && me === host ? (
        <button type="button" class="primary big" data-testid="start" onClick={start}>
          {text}
        </button>
      ) : (
        state.nextDealAt === null && <p class="waiting">{waiting(state)}</p>
      )}
      {me === undefined && empty === 0 && (
        <p class="notice" data-testid="table-full">
          {t("errorFull")} <OpenAnother />
        </p>
      )}
    </div>
  );
}

function waiting(state: TableState): string {
  const { host } = state.view;
  return host === undefined ? t("lobbyHostWaitNobody") : t("lobbyHostWait", { name: nameOf(state, host) });
}

/** The wait for people at a table that starts by itself, and the way out of it. */
function StartsByItself({ state, at }: { readonly state: TableState; readonly at: number }) {
  return (
    <div class="starts">
      <Countdown at={at} counted="quickStarts" soon="quickStartsSoon" testid="starts-in" />
      <button type="button" class="small" data-testid="quit" onClick={() => leave(state)}>
        {t("menuLeave")}
      </button>
      <p>{t("quickWaits")}</p>
    </div>
  );
}
