import { t } from "../../i18n";
import { knowsTheGame, newcomer, startLesson } from "../../state/lesson";

/** For who has not played here yet: a first match with hints, or never to be asked again. */
export function Learn() {
  if (!newcomer.value) return null;
  return (
    <div class="learn">
      <button type="button" data-testid="learn" onClick={startLesson}>
        <b>{t("homeLearn")}</b>
        <span>{t("homeLearnHint")}</span>
      </button>
      <button type="button" class="boxed icon" data-testid="learn-no" aria-label={t("homeLearnNo")} onClick={knowsTheGame}>
        ×
      </button>
    </div>
  );
}
