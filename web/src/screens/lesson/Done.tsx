import { go, rulesPath } from "../../router";
import { l } from "./words";

/** The first match is played: where to read on. */
export function LessonDone() {
  return (
    <section class="lesson-done" data-testid="lesson-done">
      <h3>{l("doneTitle")}</h3>
      <p>{l("doneText")}</p>
      <button type="button" data-testid="lesson-rules" onClick={() => go(rulesPath(null))}>
        {l("doneRules")}
      </button>
    </section>
  );
}
