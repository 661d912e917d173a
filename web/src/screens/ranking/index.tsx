import "../../styles/championship.css";
import "../../styles/ranking.css";
import { useEffect, useState } from "preact/hooks";
import { dayAndMonth, t } from "../../i18n";
import { readRanking } from "../../net/api";
import type { Ranking, RankRow } from "../../net/protocol.gen";
import { CHAMPIONSHIPS, go, rankingPath } from "../../router";
import { signedIn } from "../../state/account";
import { Link } from "../../ui/Link";
import { Page } from "../../ui/Page";

const SUNDAY = 6;

const weekName = (monday: string) => t("rankWeek", { from: dayAndMonth(monday), to: dayAndMonth(monday, SUNDAY) });

/** The ranking of a week, Monday to Sunday in Recife (R43, R44); this one if none is named. */
export default function RankingScreen({ week }: { readonly week: string | null }) {
  const [found, setFound] = useState<Ranking | "failed" | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let shown = true;
    setFound(null);
    void readRanking(week).then((reply) => {
      if (shown) setFound(reply.ok ? reply.value : "failed");
    });
    return () => {
      shown = false;
    };
  }, [week, attempt]);
  const aside = (
    <Link to={CHAMPIONSHIPS} testid="to-championships" class="button small">
      {t("cupTitle")}
    </Link>
  );
  return (
    <Page title={t("rankTitle")} aside={aside} kind="ranking-page">
      {found === null && <p class="quiet">{t("loading")}</p>}
      {found === "failed" && (
        <p class="notice" role="alert">
          {t("rankLater")}{" "}
          <button type="button" class="small" data-testid="again" onClick={() => setAttempt(attempt + 1)}>
            {t("again")}
          </button>
        </p>
      )}
      {found !== null && found !== "failed" && <Week ranking={found} asked={week} />}
    </Page>
  );
}

function Week({ ranking, asked }: { readonly ranking: Ranking; readonly asked: string | null }) {
  const { week, rows, own } = ranking;
  const below = own !== undefined && !rows.some((row) => row.own);
  return (
    <>
      <Weeks ranking={ranking} asked={asked} />
      <p class="quiet">{t("rankRule")}</p>
      {signedIn.value && own === undefined && rows.length > 0 && <p class="quiet">{t("rankOwnNone")}</p>}
      {rows.length === 0 ? (
        <p class="none">{t("rankNone")}</p>
      ) : (
        <table class="ranking" data-testid="ranking" data-week={week}>
          <caption class="unseen">{weekName(week)}</caption>
          <thead>
            <tr>
              <th scope="col">{t("rankPlace")}</th>
              <th scope="col">{t("rankPlayer")}</th>
              <th scope="col" class="few">
                {t("rankCups")}
              </th>
              <th scope="col">{t("rankPoints")}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, i) => (
              <Row key={i} row={row} />
            ))}
          </tbody>
          {below && (
            <tfoot>
              <Row row={own} />
            </tfoot>
          )}
        </table>
      )}
    </>
  );
}

function Row({ row: { rank, name, points, championships, own = false } }: { readonly row: RankRow }) {
  return (
    <tr class={`${own ? "yours" : ""} ${rank <= 3 ? `best-${rank}` : ""}`} data-testid={own ? "own-row" : undefined}>
      <td class="rank">
        <b>{rank}</b>
      </td>
      <th scope="row">
        {name || <i>{t("brNoAccount")}</i>} {own && <span class="tag">{t("lobbyYou")}</span>}
      </th>
      <td class="few">{championships}</td>
      <td class="points">
        <b>{points}</b>
      </td>
    </tr>
  );
}

/** This week and those in which points were booked. */
function Weeks({ ranking: { week, weeks }, asked }: { readonly ranking: Ranking; readonly asked: string | null }) {
  const choices = [...new Set([week, ...weeks])].toSorted().toReversed();
  return (
    <label class="field weeks">
      <span>{t("rankChoose")}</span>
      <select
        data-testid="week"
        value={asked ?? ""}
        onChange={(event) => go(rankingPath(event.currentTarget.value || null))}
      >
        <option value="">{t("rankThis")}</option>
        {choices.map((monday) => (
          <option key={monday} value={monday}>
            {weekName(monday)}
          </option>
        ))}
      </select>
    </label>
  );
}
