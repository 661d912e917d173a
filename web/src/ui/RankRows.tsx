import { t } from "../i18n";
import type { RankRow } from "../net/protocol.gen";

/** A few rows of the ranking: place, name, points. */
export function TopRows({ rows }: { readonly rows: readonly RankRow[] }) {
  return (
    <ol class="top" data-testid="top">
      {rows.map((row, i) => (
        <li key={i} class={row.own ? "yours" : ""}>
          <b class="rank">{row.rank}</b>
          <span class="name">{row.name || t("brNoAccount")}</span>
          <span class="points">{row.points}</span>
        </li>
      ))}
    </ol>
  );
}
