import "../../styles/championship.css";
import "./history.css";
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../../i18n";
import { readHistory, type Filter } from "../../net/past";
import type { HistoryRow } from "../../net/protocol.gen";
import { me } from "../../state/session";
import { guestToken } from "../../state/settings";
import { Link } from "../../ui/Link";
import { Page } from "../../ui/Page";
import { p } from "../replay/words";
import { ANY, Filters, filterOf, isAny, searchOf, type Partners } from "./Filters";
import { MatchRow, partnerOf } from "./MatchRow";

interface Found {
  readonly rows: readonly HistoryRow[];
  /** To ask for what is older with; empty when there is nothing older. */
  readonly next: string;
}

const NOTHING: Found = { rows: [], next: "" };

/** One's own matches. What is looked for stands in the address, so that one comes back to it. */
export default function HistoryScreen() {
  const [filter, setFilter] = useState(() => filterOf(location.search));
  const [found, setFound] = useState<Found | "failed" | null>(null);
  const [attempt, setAttempt] = useState(0);
  const partners = usePartners(found);
  const asker = me.value?.id;
  useEffect(() => {
    let isWanted = true;
    setFound(null);
    // Who has never been here is given a name first: a history is somebody's.
    if (asker === undefined) return undefined;
    void ask(filter, NOTHING).then((answer) => isWanted && setFound(answer));
    return () => {
      isWanted = false;
    };
  }, [asker, filter, attempt]);

  function choose(next: Filter) {
    history.replaceState(history.state, "", location.pathname + searchOf(next));
    setFilter(next);
  }

  const hasNone = isAny(filter) && found !== null && found !== "failed" && found.rows.length === 0;
  return (
    <Page title={p("history")} kind="history-page">
      {!hasNone && (
        <>
          <p class="quiet">{p("historyLead")}</p>
          <Filters filter={filter} partners={partners} onChoose={choose} />
        </>
      )}
      {found === null && <p class="quiet">{t("loading")}</p>}
      {found === "failed" && (
        <p class="notice" role="alert">
          {p("later")}
          <button type="button" class="small" data-testid="again" onClick={() => setAttempt(attempt + 1)}>
            {t("linkReload")}
          </button>
        </p>
      )}
      {found !== null && found !== "failed" && (
        <Matches
          found={found}
          filter={filter}
          onAll={() => choose(ANY)}
          onMore={() => void ask(filter, found).then(setFound)}
        />
      )}
    </Page>
  );
}

/** What follows after what is there. */
async function ask(filter: Filter, { rows, next }: Found): Promise<Found | "failed"> {
  const reply = await readHistory(filter, next, guestToken());
  return reply.ok ? { rows: [...rows, ...reply.value.rows], next: reply.value.next ?? "" } : "failed";
}

/** Everybody with whom one has been seen to play, by name. */
function usePartners(found: Found | "failed" | null): Partners {
  const known = useRef(new Map<string, string>());
  for (const row of found === null || found === "failed" ? [] : found.rows) {
    if (row.partner) known.current.set(row.partner, partnerOf(row));
  }
  return known.current;
}

interface MatchesProps {
  readonly found: Found;
  readonly filter: Filter;
  onAll(): void;
  onMore(): void;
}

function Matches({ found: { rows, next }, filter, onAll, onMore }: MatchesProps) {
  if (rows.length === 0) return <None filter={filter} onAll={onAll} />;
  return (
    <section aria-label={p("history")}>
      <ul class="path past" data-testid="matches">
        {rows.map((row) => (
          <MatchRow key={`${row.table}/${row.match}`} row={row} />
        ))}
      </ul>
      {next !== "" && (
        <button type="button" class="more" data-testid="more" onClick={onMore}>
          {p("historyMore")}
        </button>
      )}
    </section>
  );
}

function None({ filter, onAll }: Pick<MatchesProps, "filter" | "onAll">) {
  if (!isAny(filter)) {
    return (
      <p class="row" data-testid="none">
        <b>{p("historyNoneLike")}</b>
        <button type="button" class="small" data-testid="show-all" onClick={onAll}>
          {p("historyAll")}
        </button>
      </p>
    );
  }
  return (
    <div class="none" data-testid="none">
      <b>{p("historyNone")}</b>
      <p class="quiet">{p("historyNoneHint")}</p>
      <Link to="/" testid="play" class="button">
        {p("historyPlay")}
      </Link>
    </div>
  );
}
