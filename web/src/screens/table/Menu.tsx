import { useState } from "preact/hooks";
import { t, type Key } from "../../i18n";
import { go } from "../../router";
import type { TableState } from "../../state/table";
import { SettingsList } from "../../ui/Settings";
import { Sheet } from "../../ui/Sheet";
import { Invite } from "./Invite";
import { leave } from "./MatchEnd";
import { ScoreSheet, TalkLog } from "./Side";

export type Opened = "menu" | "invite" | "keys";

interface Props {
  readonly state: TableState;
  readonly opened: Opened;
  onClose(): void;
}

export function Menu({ state, opened, onClose }: Props) {
  if (opened === "invite") {
    return (
      <Sheet title={t("lobbyInvite")} testid="invite-sheet" onClose={onClose}>
        <Invite table={state.id} />
      </Sheet>
    );
  }
  if (opened === "keys") {
    return (
      <Sheet title={t("menuKeys")} testid="keys-sheet" onClose={onClose}>
        <KeyList />
      </Sheet>
    );
  }
  return (
    <Sheet title={t("menuTitle")} testid="menu-sheet" onClose={onClose}>
      <div class="only-narrow">
        <ScoreSheet state={state} />
        <TalkLog state={state} />
      </div>
      <section>
        <h2>{t("menuSettings")}</h2>
        <SettingsList />
      </section>
      <Invite table={state.id} />
      <section class="only-keyboard">
        <h2>{t("menuKeys")}</h2>
        <KeyList />
      </section>
      <Leave state={state} />
    </Sheet>
  );
}

/** Leaving in mid-match takes a second word. */
function Leave({ state }: { readonly state: TableState }) {
  const [asked, setAsked] = useState(false);
  const { me, phase } = state.view;
  const inMatch = me !== undefined && phase !== "lobby" && phase !== "match_over";
  if (!asked) {
    const ask = () => (inMatch ? setAsked(true) : leave(state));
    return (
      <button type="button" class="danger" data-testid="leave-table" onClick={ask}>
        {t("menuLeave")}
      </button>
    );
  }
  return (
    <div class="sure">
      <p>{t("menuLeaveSure")}</p>
      <button type="button" data-testid="leave-no" onClick={() => setAsked(false)}>
        {t("menuLeaveNo")}
      </button>
      <button type="button" class="danger" data-testid="leave-yes" onClick={() => leave(state)}>
        {t("menuLeaveYes")}
      </button>
      <button type="button" class="plain" data-testid="leave-home" onClick={() => go("/")}>
        {t("errorHome")}
      </button>
    </div>
  );
}

const KEYS: readonly (readonly [string, Key])[] = [
  ["1–6", "keyPick"],
  ["← →", "keyEnds"],
  ["Enter", "keyPlay"],
  ["P", "keyPass"],
  ["Esc", "keyCancel"],
  ["M", "keyRead"],
  ["U", "keyLast"],
  ["T", "keyTime"],
  ["?", "keyHelp"],
];

function KeyList() {
  return (
    <dl class="keys">
      {KEYS.map(([key, does]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{t(does)}</dd>
        </div>
      ))}
    </dl>
  );
}
