import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { t, tn } from "../../i18n";
import { stayAwake } from "../../state/awake";
import { playForced } from "../../state/forced";
import { endsToChoose, lay, lifted, myTurn, playOf, shown } from "../../state/play";
import { knowsTheGame, lessonAt } from "../../state/lesson";
import { isOfficial, nearSeat } from "../../state/names";
import { locked, noTable, onHeard, table, talk, watch, watchers } from "../../state/session";
import type { TableState } from "../../state/table";
import { bubbleOf } from "../../state/talk";
import { hushVoice } from "../../sound/speech";
import { Board, type Ghost } from "../../ui/Board";
import { SeatBadge } from "../../ui/SeatBadge";
import { lazily } from "../../ui/lazily";
import { isWide } from "../../ui/screen";
import { announced, followTable } from "./announce";
import { Bar } from "./Bar";
import { Choose } from "./Choose";
import { Closed, Lost, SeatsOnly } from "./Closed";
import { HandEnd } from "./HandEnd";
import { hear } from "./hear";
import { putBack, useKeys } from "./keys";
import { Lesson } from "./lesson-parts";
import { MatchEnd } from "./MatchEnd";
import type { Opened } from "./Menu";
import { Gathering } from "./official-parts";
import { Own } from "./Own";
import { Side } from "./Side";

// Whoever plays with bots at once needs neither: they come when they are wanted.
const Lobby = lazily(async () => (await import("./Lobby")).Lobby);
const Menu = lazily(async () => (await import("./Menu")).Menu, true);

export default function TableScreen({ id }: { readonly id: string }) {
  // At once: what comes before the first picture has to be heard as well.
  useLayoutEffect(() => watch(id), [id]);
  useLayoutEffect(() => onHeard(hear), []);
  useLayoutEffect(() => followTable(id), [id]);
  useEffect(playForced, []);
  useEffect(() => hushVoice, []);
  const [opened, setOpened] = useState<Opened | null>(null);
  const state = table.value;
  const seated = state?.view.me !== undefined;
  const playing = state !== null && state.view.phase !== "lobby" && state.view.phase !== "match_over";
  useEffect(() => (playing ? stayAwake() : undefined), [playing]);
  const over = seated && state.view.phase === "match_over";
  useEffect(() => {
    if (over) knowsTheGame();
  }, [over]);
  useKeys({ onHelp: () => setOpened("keys"), onSay: () => seated && setOpened("say") });
  if (noTable.value === "unknown") return <Lost />;
  if (noTable.value === "seats_only") return <SeatsOnly id={id} />;
  if (state === null) return <main class="loading" id="game">{t("loading")}</main>;
  return (
    <div
      class={`table-page ${seated ? "" : "watching"} ${state.view.phase === "lobby" ? "in-lobby" : ""}`}
      data-seq={state.seq}
      data-turn={state.view.turn?.turn ?? state.view.phase}
      data-mine={asked()}
    >
      <Bar state={state} onMenu={() => setOpened("menu")} onInvite={() => setOpened("invite")} />
      <Stage state={state} onOpen={setOpened} />
      {opened !== null && <Menu state={state} opened={opened} onOpen={setOpened} onClose={() => setOpened(null)} />}
      {isClosed(state) && <Closed view={state.view} />}
      <Live />
    </div>
  );
}

/** The one live region: new lines are read out in their order. */
function Live() {
  return (
    <div class="unseen" role="log" aria-live="polite" aria-label={t("talkTitle")} data-testid="live">
      {announced.value.map(({ key, text }) => (
        <p key={key}>{text}</p>
      ))}
    </div>
  );
}

/** A championship's table closes after its match: what is shown then leads on by itself. */
function isClosed(state: TableState): boolean {
  const { closed, match_end: end } = state.view;
  return closed !== undefined && !(closed === "over" && end !== undefined && isOfficial(state));
}

/** Chairs and invitation, the wait for a championship's match, or the game. */
function Stage({ state, onOpen }: GameProps) {
  if (state.view.phase !== "lobby") return <Game state={state} onOpen={onOpen} />;
  return isOfficial(state) ? <Gathering state={state} /> : <Lobby state={state} />;
}

/** What the person is asked to do; nothing while others are, or while the answer is on its way. */
function asked(): "play" | "pass" | "choose" | "" {
  const turn = myTurn.value;
  if (turn === null || locked.value) return "";
  if (turn.choosing) return "choose";
  return turn.must_pass ? "pass" : "play";
}

interface GameProps {
  readonly state: TableState;
  onOpen(what: Opened): void;
}

function Game({ state, onOpen }: GameProps) {
  const near = nearSeat(state);
  const view = shown.value?.view ?? state.view;
  const ghosts = ghostsOf();
  const ending = useEnding(state);
  const isTaught = lessonAt.value === state.id && state.view.me !== undefined;
  useFocusOnGhosts(ghosts.length);
  // Not after the picture: by then the next tile may be lifted.
  useLayoutEffect(() => {
    lifted.value = null;
  }, [state.view.turn?.turn, state.view.hand]);
  return (
    <>
      {isWide.value && <Side state={state} />}
      <main class={`game ${isTaught ? "taught" : ""} ${ending.is === "open" ? "over" : ""}`} id="game">
        <section class="seats">
          {[1, 2, 3].map((step) => {
            const seat = (near + step) % 4;
            return <SeatBadge key={seat} seat={seat} bubble={bubbleOf(talk.value, seat)} />;
          })}
        </section>
        <div class="stage">
          <Board
            view={view}
            pendingAt={shown.value?.pendingAt ?? null}
            ghosts={ghosts}
            onGhost={({ tile, end }) => lay(tile, end)}
            onCancel={putBack}
          />
          <Choose state={state} />
          <Ending state={state} ending={ending} onSwap={() => onOpen("chairs")} />
          <Audience />
          {isTaught && <Lesson state={state} />}
        </div>
        <Own state={state} onSay={() => onOpen("say")} />
      </main>
    </>
  );
}

/** Where the lifted tile may go. */
function ghostsOf(): Ghost[] {
  const tile = lifted.value;
  const play = tile === null ? undefined : playOf(tile);
  const ends = shown.value?.view.ends;
  if (play === undefined || tile === null) return [];
  if (ends === undefined) return [{ end: undefined, open: tile[0], tile }];
  return endsToChoose(play).map((end) => ({ end, open: end === "left" ? ends[0] : ends[1], tile }));
}

/** Who lifts a tile by keyboard finds the focus on the first place for it. */
function useFocusOnGhosts(count: number): void {
  useLayoutEffect(() => {
    if (count > 0) document.querySelector<HTMLElement>(".ghost")?.focus({ preventScroll: true });
  }, [count]);
}

interface Shown {
  /** Whether the result lies over the table, or beside it for who wants to see that. */
  readonly is: "none" | "open" | "aside";
  put(aside: boolean): void;
}

/** The end of a hand or of the match. */
function useEnding({ view }: TableState): Shown {
  const [aside, put] = useState(false);
  const isOver = view.hand_end !== undefined;
  const [lies, setLies] = useState(false);
  useLayoutEffect(() => put(false), [view.hand, isOver]);
  // The last tile first: its landing and all of the result at once are too much for one frame.
  useEffect(() => setLies(isOver), [isOver]);
  return { is: !isOver || !lies ? "none" : aside ? "aside" : "open", put };
}

interface EndingProps {
  readonly state: TableState;
  readonly ending: Shown;
  onSwap(): void;
}

function Ending({ state, ending, onSwap }: EndingProps) {
  const { hand_end: hand, match_end: match } = state.view;
  if (hand === undefined || ending.is === "none") return null;
  if (ending.is === "aside") {
    return (
      <button type="button" class="see-result" data-testid="see-result" onClick={() => ending.put(false)}>
        {t("endSeeResult")}
      </button>
    );
  }
  const hide = () => ending.put(true);
  return match === undefined ? (
    <HandEnd state={state} end={hand} onSeeTable={hide} />
  ) : (
    <MatchEnd state={state} end={match} onSeeTable={hide} onSwap={onSwap} />
  );
}

/** How many watch, for those who play. */
function Audience() {
  const count = watchers.value;
  if (count === 0) return null;
  return (
    <p class="audience" data-testid="watchers" aria-label={tn("lobbyWatching", count)}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M2 12c5-8 15-8 20 0-5 8-15 8-20 0z" />
        <circle cx="12" cy="12" r="3.200" />
      </svg>
      {tn("watchCount", count)}
    </p>
  );
}
