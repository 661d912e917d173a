import { t } from "../i18n";

/** A word about who sits there. A bot has its head beside it: no word and no colour is alone. */
export function Tag({ text, kind = "" }: { readonly text: string; readonly kind?: string }) {
  return (
    <span class={`tag ${kind}`}>
      {(text === t("seatBot") || text === t("seatStandIn")) && (
        <svg viewBox="0 0 16 14" aria-hidden="true">
          <path fill-rule="evenodd" d="M7 0h2v3h6v11H1V3h6zM4 6v3h2V6zm6 0v3h2V6z" />
        </svg>
      )}
      {text}
    </span>
  );
}
