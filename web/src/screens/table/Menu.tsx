import { useState } from "preact/hooks";
import { t, type Key } from "../../i18n";
import { go } from "../../router";
import { isOfficial } from "../../state/names";
import type { TableState } from "../../state/table";
import { lazily } from "../../ui/lazily";
import { SettingsList } from "../../ui/Settings";
import { OptionsList } from "../../ui/Options";
import { Sheet } from "../../ui/Sheet";
import { submit } from "../../state/session";
import { Chairs } from "./Chairs";
import { Invite } from "./Invite";
import { leave } from "./MatchEnd";
import { LookAway } from "./official-parts";
import { Promised } from "./Proof";
import { Say } from "./Say";
import { ScoreSheet, TalkLog } from "./Side";
import { ToBracket } from "./ToBracket";

export type Opened = "menu" | "invite" | "keys" | "say" | "chairs" | "rules";

interface Props {
  readonly state: TableState;
  readonly opened: Opened;
  onOpen(what: Opened): void;
  onClose(): void;
}

/** The rules over the table: one reads them without leaving the game. */
const RulesSheet = lazily(async () => {
  const rules = await import("../rules");
  await rules.wordsReady();
  return rules.RulesSheet;
}, true);

export function Menu({ state, opened, onOpen, onClose }: Props) {
  if (opened === "rules") return <RulesSheet at={null} onClose={onClose} />;
  if (opened === "invite") {
    return (
      <Sheet title={t("lobbyInvite")} testid="invite-sheet" onClose={onClose}>
        <Invite state={state} bare />
      </Sheet>
    );
  }
  if (opened === "say") return <Say state={state} onClose={onClose} />;
  if (opened === "chairs") {
    return (
      <Sheet title={t("matchSwap")} testid="chairs-sheet" onClose={onClose}>
        <Chairs state={state} />
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
  const official = isOfficial(state);
  return (
    <Sheet title={t("menuTitle")} testid="menu-sheet" onClose={onClose}>
      <div class="only-narrow">
        <ScoreSheet state={state} />
        <TalkLog state={state} />
        <Promised state={state} />
      </div>
      <button type="button" data-testid="open-rules" onClick={() => onOpen("rules")}>
        {t("menuRules")}
      </button>
      <section>
        <h2>{t("menuSettings")}</h2>
        <SettingsList />
      </section>
      {!official && (
        <>
          <Invite state={state} />
          <OptionsList options={state.view.options} />
        </>
      )}
      <section class="only-keyboard">
        <h2>{t("menuKeys")}</h2>
        <KeyList />
      </section>
      {official ? (
        <>
          <ToBracket state={state} kind="button" />
          <LookAway />
        </>
      ) : (
        <div class="row">
          <Leave state={state} />
          <CloseTable state={state} />
        </div>
      )}
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

/** The host's alone, and for everybody: it takes a second word, too. */
function CloseTable({ state }: { readonly state: TableState }) {
  const [asked, setAsked] = useState(false);
  const { me, host } = state.view;
  if (me === undefined || me !== host) return null;
  if (!asked) {
    return (
      <button type="button" data-testid="close-table" onClick={() => setAsked(true)}>
        {t("menuCloseTable")}
      </button>
    );
  }
  return (
    <div class="sure">
      <p>{t("menuCloseSure")}</p>
      <button type="button" data-testid="close-no" onClick={() => setAsked(false)}>
        {t("menuLeaveNo")}
      </button>
      <button
        type="button"
        class="danger"
        data-testid="close-yes"
        onClick={() => void submit({ t: "table.close", table: state.id })}
      >
        {t("menuCloseTable")}
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
  ["F", "keySay"],
  ["?", "keyHelp"],
];

function KeyList() {
  return (
    <dl class="key-list">
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
