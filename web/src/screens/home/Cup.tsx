import { useEffect } from "preact/hooks";
import { t } from "../../i18n";
import { ACCOUNT, CHAMPIONSHIPS, rankingPath } from "../../router";
import { signedIn } from "../../state/account";
import { noQueue, refreshThisWeek, thisWeek, useQueue } from "../../state/championship";
import { queue } from "../../state/contest";
import { me } from "../../state/session";
import { Link } from "../../ui/Link";
import { Count, DevelopmentBanner, Door, Ladder, NextStart, waits } from "../../ui/Queue";
import { TopRows } from "../../ui/RankRows";

const SHOWN = 3;

/** The championship on the home page: the queue as it is now, the way in, the best of the week. */
export function Cup() {
  useQueue();
  useEffect(() => void refreshThisWeek(), []);
  if (noQueue.value) return null;
  const state = queue.value;
  return (
    <section class={`cup ${waits() ? "joined" : ""}`} aria-labelledby="cup-title" data-testid="cup">
      <header>
        <h2 id="cup-title">
          <Link to={CHAMPIONSHIPS} testid="cup-open">
            {t("cupTitle")}
          </Link>
        </h2>
        <p>{t("cupLead")}</p>
      </header>
      {state === null ? (
        <p class="quiet">{t("loading")}</p>
      ) : (
        <>
          <Count state={state} />
          <Ladder state={state} />
          <NextStart state={state} />
          {waits() ? <Waiting ahead={state.ahead ?? 0} /> : <Door />}
        </>
      )}
      <Best />
      <footer>
        <Link to={rankingPath(null)} testid="to-ranking">
          {t("rankTitle")}
        </Link>
        {signedIn.value && (
          <Link to={ACCOUNT} testid="cup-account">
            {me.value?.name || t("accTitle")}
          </Link>
        )}
      </footer>
      <DevelopmentBanner />
    </section>
  );
}

function Waiting({ ahead }: { readonly ahead: number }) {
  return (
    <Link to={CHAMPIONSHIPS} testid="cup-waiting" class="button joined">
      {t("cupWaiting", { n: ahead + 1 })}
    </Link>
  );
}

/** The three best of this week; nothing while the ranking does not answer. */
function Best() {
  if (thisWeek.value === null) return null;
  const rows = thisWeek.value.rows.slice(0, SHOWN);
  return (
    <div class="best">
      <h3>{t("cupTop")}</h3>
      {rows.length === 0 ? <p class="quiet">{t("cupTopNone")}</p> : <TopRows rows={rows} />}
    </div>
  );
}
