import { useState } from "preact/hooks";
import { t, type Key } from "../../i18n";
import { CHAMPIONSHIPS, go } from "../../router";
import { chooseName, faultOf } from "../../state/account";
import { say } from "../../state/session";

interface Props {
  readonly name: string;
  /** The person has none yet, and came to take part. */
  readonly first: boolean;
}

const REFUSED: Readonly<Partial<Record<string, Key>>> = {
  NAME_TAKEN: "fault_taken",
  BAD_NICKNAME: "fault_bad",
};

/** The nickname by which others see the person once their team is out or champion. */
export function NameForm({ name, first }: Props) {
  const [written, setWritten] = useState<string | null>(null);
  const [fault, setFault] = useState<Key | null>(null);
  // The name may come when something else is being written already.
  const text = written ?? name;
  const save = async (event: Event) => {
    event.preventDefault();
    const wrong = faultOf(text);
    setFault(wrong === null ? null : (`fault_${wrong}` satisfies Key));
    if (wrong !== null) return;
    const code = await chooseName(text.trim());
    setFault(code === null ? null : (REFUSED[code] ?? "fault_later"));
    if (code !== null) return;
    say(t("accSaved"));
    if (first) go(CHAMPIONSHIPS);
  };
  return (
    <form class="field" onSubmit={(event) => void save(event)}>
      <label for="account-name">{t("accName")}</label>
      <div class="row">
        <input
          id="account-name"
          data-testid="account-name"
          value={text}
          maxLength={40}
          autocomplete="nickname"
          spellcheck={false}
          aria-invalid={fault !== null}
          aria-describedby="account-name-hint"
          onInput={(event) => {
            setWritten(event.currentTarget.value);
            setFault(null);
          }}
        />
        <button type="submit" class="primary" data-testid="account-name-save">
          {t("accSave")}
        </button>
      </div>
      <small id="account-name-hint" class={fault === null ? "" : "bad"} role={fault === null ? undefined : "alert"}>
        {t(fault ?? "accNameHint")}
      </small>
    </form>
  );
}
