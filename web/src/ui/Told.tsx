import { currentLang, t } from "../i18n";
import { hush, told } from "../state/told";

/** What the house tells everybody, until it is over or the person has read enough of it. */
export function Told() {
  const news = told.value;
  if (news === null) return null;
  return (
    <p class="update told" role="status" data-testid="told">
      {news[currentLang()]}
      <button type="button" data-testid="told-close" onClick={hush}>
        {t("menuClose")}
      </button>
    </p>
  );
}
