// What one can say at the table, and whom one would rather not hear.

import { t, type Key } from "../../i18n";
import type { Phrase } from "../../net/protocol.gen";
import { isMuted, mute } from "../../state/muted";
import { nameOf } from "../../state/names";
import { PHRASES, speakUp } from "../../state/phrases";
import { say } from "../../state/session";
import type { TableState } from "../../state/table";
import { Sheet } from "../../ui/Sheet";
import { SEATS } from "./Chairs";

interface Props {
  readonly state: TableState;
  onClose(): void;
}

export function Say({ state, onClose }: Props) {
  const speak = (phrase: Phrase) => {
    if (!speakUp(phrase)) say(t("sayFast"));
    onClose();
  };
  return (
    <Sheet title={t("sayTitle")} testid="say-sheet" onClose={onClose}>
      <ul class="phrases">
        {PHRASES.map((phrase) => (
          <li key={phrase}>
            <button type="button" data-testid={`say-${phrase}`} onClick={() => speak(phrase)}>
              {t(`phrase_${phrase}` satisfies Key)}
            </button>
          </li>
        ))}
      </ul>
      <Mutes state={state} />
    </Sheet>
  );
}

/** A switch for each other person; bots say nothing but the game's own calls. */
function Mutes({ state }: { readonly state: TableState }) {
  const { me, seats } = state.view;
  const others = SEATS.filter((seat) => seat !== me && seats[seat]?.kind === "person");
  return (
    <div class="settings">
      {others.map((seat) => (
        <label key={seat} class="switch">
          <span>{t("sayMuted", { name: nameOf(state, seat) })}</span>
          <input
            type="checkbox"
            role="switch"
            data-testid={`mute-${seat}`}
            checked={isMuted(state, seat)}
            onChange={(event) => mute(state, seat, event.currentTarget.checked)}
          />
        </label>
      ))}
    </div>
  );
}
