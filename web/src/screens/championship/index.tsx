import "../../styles/championship.css";
import { useEffect, useState } from "preact/hooks";
import { t, when, type Key } from "../../i18n";
import { readChampionships } from "../../net/api";
import type { Championships, Listed } from "../../net/protocol.gen";
import { ACCOUNT, bracketPath, go, rankingPath, tablePath } from "../../router";
import { signedIn } from "../../state/account";
import { leaveQueue, useQueue } from "../../state/championship";
import { brackets, ownRunning, queue, type QueueState } from "../../state/contest";
import { openTable } from "../../state/doors";
import { me } from "../../state/session";
import { askToNotify, notifying } from "../../state/summons";
import { minutes } from "../../ui/Clock";
import { Link } from "../../ui/Link";
import { Page } from "../../ui/Page";
import { Count, Door, Ladder, NextStart, waits } from "../../ui/Queue";

/** The championship's lobby: the queue, one's place in it, and what is played meanwhile. */
export default function ChampionshipScreen() {
  useQueue();
  const state = queue.value;
  const aside = signedIn.value && (
    <Link to={ACCOUNT} testid="to-account" class="button small">
      {me.value?.name || t("accTitle")}
    </Link>
  );
  return (
    <Page title={t("cupTitle")} aside={aside} kind="lobby-page">
      <div class="columns">
        <section class="cup" aria-label={t("cupTitle")}>
          <TakenOut />
          {state === null ? <p class="quiet">{t("loading")}</p> : <Lobby state={state} />}
        </section>
        <div>
          <Played />
          <HowItWorks state={state} />
        </div>
      </div>
    </Page>
  );
}

function Lobby({ state }: { readonly state: QueueState }) {
  return (
    <>
      <Count state={state} />
      <Ladder state={state} />
      <NextStart state={state} />
      {waits() ? <Waiting ahead={state.ahead ?? 0} /> : <Entrance />}
    </>
  );
}

function Entrance() {
  const running = ownRunning(brackets.value) !== null;
  return (
    <div class="entrance">
      {running && <p class="stands">{t("cupIn")}</p>}
      <Door />
    </div>
  );
}

const practise = () => go(tablePath(openTable({}, true)));

/** What the person is told while they wait. */
function Waiting({ ahead }: { readonly ahead: number }) {
  return (
    <div class="entrance" data-testid="queue-joined" data-ahead={ahead}>
      <p class="stands" role="status">
        <b>{t("cupJoined")}</b> {t("cupPlace", { n: ahead + 1 })}
      </p>
      <button type="button" class="primary" data-testid="practise" onClick={practise}>
        {t("cupPractice")}
      </button>
      <p class="quiet">{t("cupStay")}</p>
      <Notifying />
      <div class="row">
        <button type="button" class="small" data-testid="queue-leave" onClick={() => void leaveQueue()}>
          {t("cupLeave")}
        </button>
        <small>{t("cupLeaveHint")}</small>
      </div>
    </div>
  );
}

/** Whether the browser may tell, too; it can be allowed here as well. */
function Notifying() {
  const [may, setMay] = useState(notifying());
  if (may === "missing") return null;
  if (may === "default") {
    return (
      <button
        type="button"
        class="small"
        data-testid="notify"
        onClick={() => void askToNotify().then(() => setMay(notifying()))}
      >
        {t("cupNotify")}
      </button>
    );
  }
  return <p class="quiet">{t(may === "granted" ? "cupNotifyOn" : "cupNotifyOff")}</p>;
}

/** Why one is not in the queue any more, unless it was one's own wish. */
function TakenOut() {
  const why = queue.value?.left;
  // Once the championship itself is told of there is no more to say, even when it is over.
  const known = why === "called" && [...brackets.value.values()].some(({ bracket }) => bracket.mine !== undefined);
  if ((why !== "gone" && why !== "called") || known) return null;
  return (
    <p class="notice" role="alert" data-testid="taken-out" data-why={why}>
      {t(`left_${why}` satisfies Key)}
    </p>
  );
}

const REFRESH = 15_000;

/** What is played now, and what was played lately. */
function Played() {
  const own = ownRunning(brackets.value)?.id;
  const [found, setFound] = useState<Championships | null>(null);
  useEffect(() => {
    let shown = true;
    const read = async () => {
      const reply = await readChampionships();
      if (shown && reply.ok) setFound(reply.value);
    };
    void read();
    const timer = setInterval(() => void read(), REFRESH);
    return () => {
      shown = false;
      clearInterval(timer);
    };
  }, [own]);
  return (
    <>
      <List title="cupRunning" entries={found?.running ?? []} none="cupRunningNone" />
      {found !== null && found.ended.length > 0 && <List title="cupEnded" entries={found.ended} />}
      <p>
        <Link to={rankingPath(null)} testid="to-ranking">
          {t("rankTitle")}
        </Link>
      </p>
    </>
  );
}

interface ListProps {
  readonly title: Key;
  readonly entries: readonly Listed[];
  readonly none?: Key;
}

function List({ title, entries, none }: ListProps) {
  return (
    <section class="played">
      <h2>{t(title)}</h2>
      {entries.length === 0 && none !== undefined && <p class="quiet">{t(none)}</p>}
      <ul>
        {entries.map(({ id, tier, started }) => (
          <li key={id}>
            <Link to={bracketPath(id)} testid={`played-${id}`} class={`played-row ${tier}`}>
              <i class="medal" aria-hidden="true" />
              <b>{t(`tier_${tier}` satisfies Key)}</b>
              <small>{when(started)}</small>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function HowItWorks({ state }: { readonly state: QueueState | null }) {
  const wait = minutes(state?.waitMs ?? 180_000);
  return (
    <section class="how">
      <h2>{t("cupHow")}</h2>
      <ul>
        <li>{t("cupRule", { wait })}</li>
        <li>{t("cupAnimals")}</li>
        <li>{t("cupTwice")}</li>
      </ul>
    </section>
  );
}
