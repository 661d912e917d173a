import { Umbrella, Wordmark } from "../../art/Umbrella";
import { spelled } from "../../game/ids";
import { t } from "../../i18n";
import { go } from "../../router";
import { isOfficial, ownTeam } from "../../state/names";
import type { TableState } from "../../state/table";
import { ToBracket } from "./ToBracket";

interface Props {
  readonly state: TableState;
  onMenu(): void;
  onInvite(): void;
}

/** The upper edge: mark, score, what the hand is worth, table, menu. */
export function Bar({ state, onMenu, onInvite }: Props) {
  return (
    <header class="bar">
      <a
        class="mark"
        href="/"
        data-testid="to-home"
        aria-label={t("menuLeave")}
        onClick={(event) => {
          event.preventDefault();
          if (state.view.phase === "play" || state.view.phase === "choose") onMenu();
          else go("/");
        }}
      >
        <Umbrella />
        <Wordmark />
      </a>
      {state.view.phase !== "lobby" && <Score state={state} />}
      {isOfficial(state) ? <ToBracket state={state} /> : <Code state={state} onInvite={onInvite} />}
      <button type="button" class="boxed icon" data-testid="menu" aria-label={t("barMenu")} onClick={onMenu}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M4 6.500h16M4 12h16M4 17.500h16" />
        </svg>
      </button>
    </header>
  );
}

function Code({ state, onInvite }: Omit<Props, "onMenu">) {
  const code = spelled(state.view.code);
  return (
    <button
      type="button"
      class="boxed code"
      data-testid="invite"
      aria-label={t("barTable", { code })}
      onClick={onInvite}
    >
      <span class="wide">{t("barTable", { code })}</span>
      <span class="narrow">{code}</span>
    </button>
  );
}

export function Score({ state }: { readonly state: TableState }) {
  const { scores, multiplier, me } = state.view;
  const us = scores[ownTeam(state)] ?? 0;
  const them = scores[1 - ownTeam(state)] ?? 0;
  return (
    <div class="score" role="group" aria-label={t("barScore", { us, them })} data-testid="score">
      <span class="us">
        <i>{t(me === undefined ? "barTeamA" : "barUs")}</i> <b data-testid="score-us">{us}</b>
      </span>
      <span class="them">
        <i>{t(me === undefined ? "barTeamB" : "barThem")}</i> <b data-testid="score-them">{them}</b>
      </span>
      {multiplier > 1 && (
        <span class="worth" title={t("barWorthLong", { n: multiplier })} data-testid="multiplier">
          {t("barWorth", { n: multiplier })}
        </span>
      )}
    </div>
  );
}
