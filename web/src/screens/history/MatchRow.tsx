// A match in one's history, as one sees it: with whom, against whom, and how it went.

import { resultName } from "../../game/calls";
import { currentLang, t, when } from "../../i18n";
import type { HistoryRow } from "../../net/protocol.gen";
import { replayPath } from "../../router";
import { pastName, tableOf } from "../../state/past";
import { Link } from "../../ui/Link";
import { matchName } from "../../ui/match";
import { p } from "../replay/words";

const nameIn = (row: HistoryRow, step: number) => pastName(tableOf(row.table, row.seats), (row.me + step) % 4);

export const partnerOf = (row: HistoryRow) => nameIn(row, 2);

type Outcome = "won" | "lost" | "runs" | "cut";

const LOOKS = { won: "has-won", lost: "has-lost", runs: "is-open", cut: "" } as const;
const WORDS = { won: "rowWon", lost: "rowLost", runs: "rowRuns", cut: "rowCut" } as const;

function outcomeOf({ winner, me, ended }: HistoryRow): Outcome {
  if (winner !== undefined) return winner === me % 2 ? "won" : "lost";
  return ended === undefined ? "runs" : "cut";
}

function special({ buchuda, buchuda_de_re }: HistoryRow): string {
  if (buchuda_de_re) return resultName(currentLang(), "buchuda_de_re");
  return buchuda ? resultName(currentLang(), "buchuda") : "";
}

export function MatchRow({ row }: { readonly row: HistoryRow }) {
  const outcome = outcomeOf(row);
  const [own, other] = [row.scores[row.me % 2] ?? 0, row.scores[1 - (row.me % 2)] ?? 0];
  const where = row.official ? `${t("cupTitle")}, ${matchName(row.official)}` : "";
  const hands = p(row.hands === 1 ? "rowHands_one" : "rowHands_other", { n: row.hands });
  const title = p("rowTitle", { partner: partnerOf(row), one: nameIn(row, 1), other: nameIn(row, 3) });
  const extra = special(row);
  return (
    <li class={LOOKS[outcome]} data-testid="past-match" data-outcome={outcome}>
      <b>{[when(row.started), where, hands].filter((part) => part !== "").join(" · ")}</b>
      <Link to={replayPath(row.table, row.match)} testid="see-match" class="whole">
        {title}
        <span class="unseen">. {p("rowSee")}</span>
      </Link>
      <span class="result">
        {p(WORDS[outcome])} <b>{t("matchScore", { us: own, them: other })}</b>
        {extra !== "" && <small class="tag">{extra}</small>}
      </span>
    </li>
  );
}
