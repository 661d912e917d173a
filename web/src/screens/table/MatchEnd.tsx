import { Umbrella } from "../../art/Umbrella";
import { Sun } from "../../art/Sun";
import { resultName } from "../../game/calls";
import { currentLang, t, tn } from "../../i18n";
import type { MatchEnd as End } from "../../net/protocol.gen";
import { go, replayPath } from "../../router";
import { animalOf, isOfficial, nameOf, nameOrYou, ownTeam } from "../../state/names";
import { lessonAt } from "../../state/lesson";
import { say, submit } from "../../state/session";
import type { TableState } from "../../state/table";
import { Avatar } from "../../ui/Avatar";
import { Link } from "../../ui/Link";
import { isWide } from "../../ui/screen";
import { OpenHands } from "./HandEnd";
import { LessonDone } from "./lesson-parts";
import { AfterMatch } from "./official-parts";
import { ScoreSheet } from "./Side";

interface Props {
  readonly state: TableState;
  readonly end: End;
  onSeeTable(): void;
  onSwap(): void;
}

type Scene = "plain" | "buchuda" | "buchuda_de_re";

function sceneOf(end: End): Scene {
  if (end.buchuda_de_re) return "buchuda_de_re";
  return end.buchuda ? "buchuda" : "plain";
}

/** The match is won; a buchuda and a buchuda de ré have scenes of their own. */
export function MatchEnd({ state, end, onSeeTable, onSwap }: Props) {
  const own = ownTeam(state);
  const tone = end.team === own ? "us" : "them";
  const scene = sceneOf(end);
  return (
    <section class={`panel match-end ${tone} ${scene}`} aria-label={headline(state, end)} data-testid="match-end">
      <header class="print">
        <svg class="rays" viewBox="-115 -115 230 230" aria-hidden="true">
          <Sun />
        </svg>
        <div class="parade" aria-hidden="true">
          {[40, 56, 72, 56, 40].map((size, i) => (
            <Umbrella key={i} size={size} />
          ))}
        </div>
        <h2 data-testid="match-end-title">{headline(state, end)}</h2>
        {scene !== "plain" && <p class="stamp">{resultName(currentLang(), scene)}</p>}
        <p class="points">
          {t("matchScore", { us: end.scores[own] ?? 0, them: end.scores[1 - own] ?? 0 })}
        </p>
      </header>
      <p class="why">{story(state, end)}</p>
      <div class="winners" aria-hidden="true">
        {[end.team, end.team + 2].map((seat) => (
          <span key={seat}>
            <Avatar animal={animalOf(state, seat)} />
            {nameOrYou(state, seat)}
          </span>
        ))}
      </div>
      {lessonAt.value === state.id && <LessonDone />}
      {!isWide.value && <ScoreSheet state={state} />}
      {state.view.hand_end !== undefined && <OpenHands state={state} end={state.view.hand_end} />}
      <footer>
        {isOfficial(state) ? <AfterMatch state={state} /> : <GoOn state={state} onSwap={onSwap} />}
        <Link to={replayPath(state.id, state.view.match, 1)} testid="replay-match">
          {t("matchReplay")}
        </Link>
        <button type="button" class="plain" data-testid="share-result" onClick={() => void share(state, end)}>
          {t("matchShare")}
        </button>
        <button type="button" class="plain" data-testid="see-table" onClick={onSeeTable}>
          {t("endSeeTable")}
        </button>
      </footer>
    </section>
  );
}

/** Its words come with the replay, where all can be copied by hand if nothing else works. */
async function share(state: TableState, end: End): Promise<void> {
  try {
    const { shareResult } = await import("../replay/result");
    if (!(await shareResult(state, end))) go(replayPath(state.id, state.view.match, 1));
  } catch {
    say(t("loadFailed"));
  }
}

export function headline(state: TableState, end: End): string {
  if (state.view.me === undefined) return t(end.team === 0 ? "matchWonA" : "matchWonB");
  return t(end.team === ownTeam(state) ? "matchWon" : "matchLost");
}

export function story(state: TableState, end: End): string {
  if (end.buchuda_de_re) return t("matchBuchudaDeRe");
  if (!end.buchuda) return "";
  if (state.view.me === undefined) return t("matchBuchudaOther");
  return t(end.team === ownTeam(state) ? "matchBuchuda" : "matchBuchudaLost");
}

/** What follows at a table of friends: another match, other partners, or home. */
function GoOn({ state, onSwap }: Pick<Props, "state" | "onSwap">) {
  return (
    <>
      <Again state={state} />
      {state.view.me !== undefined && state.view.me === state.view.host && (
        <button type="button" data-testid="swap" onClick={onSwap}>
          {t("matchSwap")}
        </button>
      )}
      <button type="button" data-testid="leave" onClick={() => leave(state)}>
        {t("matchHome")}
      </button>
    </>
  );
}

/** The next match at the same table; only the host starts it. */
function Again({ state }: { readonly state: TableState }) {
  const { me, host, seats } = state.view;
  if (me !== undefined && me === host) {
    const empty = seats.filter(({ kind }) => kind === "empty").length;
    const level = state.view.options.level ?? "medium";
    const start = () => void submit({ t: "table.start", table: state.id, d: { level } });
    return (
      <button type="button" class="primary" data-testid="next-match" onClick={start}>
        {empty > 0 ? tn("lobbyStartWith", empty) : t("matchNext")}
      </button>
    );
  }
  const free = seats.findIndex(({ kind }) => kind === "empty");
  if (me === undefined && free >= 0) {
    const sit = () => void submit({ t: "table.sit", table: state.id, d: { seat: free } });
    return (
      <button type="button" class="primary" data-testid="sit-down" onClick={sit}>
        {t("lobbySit")}
      </button>
    );
  }
  if (host === undefined) return null;
  return <p class="quiet">{t("matchNextWait", { name: nameOf(state, host) })}</p>;
}

/** Gives the seat up, if there is one, and goes to the start. */
export function leave(state: TableState): void {
  if (state.view.me !== undefined) void submit({ t: "table.leave", table: state.id });
  go("/");
}
