// Getting to a table by its code, or by a link that somebody sent.

import { useState } from "preact/hooks";
import { spelled, wantedIn } from "../game/ids";
import { t } from "../i18n";
import { codePath, go, tablePath } from "../router";

interface Props {
  /** A code that led nowhere. */
  readonly unknown?: string;
}

export function Join({ unknown }: Props) {
  const [text, setText] = useState("");
  const [bad, setBad] = useState(false);
  const join = (event: Event) => {
    event.preventDefault();
    const wanted = wantedIn(text);
    setBad(wanted === null);
    if (wanted !== null) go("code" in wanted ? codePath(wanted.code) : tablePath(wanted.table));
  };
  return (
    <form class="field join" onSubmit={join}>
      {unknown !== undefined && (
        <p class="bad" role="alert" data-testid="unknown-code">
          {t("homeJoinUnknown", { code: spelled(unknown).replace(" ", "\u00a0") })}
        </p>
      )}
      <label for="join">{t("homeJoin")}</label>
      <div class="row">
        <input
          id="join"
          data-testid="join-link"
          placeholder={t("homeJoinField")}
          value={text}
          autocapitalize="characters"
          autocomplete="off"
          spellcheck={false}
          aria-invalid={bad}
          aria-describedby="join-hint"
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" data-testid="join-go">
          {t("homeJoinGo")}
        </button>
      </div>
      <small id="join-hint" class={bad ? "bad" : ""} role={bad ? "alert" : undefined}>
        {t(bad ? "homeJoinBad" : "homeJoinHint")}
      </small>
    </form>
  );
}
