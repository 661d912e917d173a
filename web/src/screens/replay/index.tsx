import "./replay.css";
import { useEffect, useState } from "preact/hooks";
import { Umbrella, Wordmark } from "../../art/Umbrella";
import { shortCode, spelled } from "../../game/ids";
import { handAt, momentIn, situationAt } from "../../game/replay";
import { t } from "../../i18n";
import { isForNow, type Reply } from "../../net/api";
import { readReplay } from "../../net/past";
import type { PastHand, Replay } from "../../net/protocol.gen";
import { HISTORY } from "../../router";
import { nearSeat } from "../../state/names";
import { pastNameOrYou, stateAt } from "../../state/past";
import { show } from "../../state/session";
import { guestToken } from "../../state/settings";
import type { TableState } from "../../state/table";
import { Board } from "../../ui/Board";
import { Link } from "../../ui/Link";
import { isWide } from "../../ui/screen";
import { Sheet } from "../../ui/Sheet";
import { endsInWords } from "../../ui/words";
import { Score } from "../table/Bar";
import { Fairness } from "../table/Proof";
import { ToBracket } from "../table/ToBracket";
import { Controls } from "./Controls";
import { Chance, Judge, judged, useJudging } from "./Judged";
import { Moves } from "./Moves";
import { useKeys, usePlayer, type Player } from "./player";
import { NearSeat, PastSeat } from "./Seats";
import { Share } from "./Share";
import { called, endTold, instead, matchTold, opening, told } from "./telling";
import { p } from "./words";

interface Props {
  readonly table: string;
  readonly match: number;
}

/** What has just ended may not be written down yet. */
const TRIES = 5;
const PAUSE = 700;

function useReplay({ table, match }: Props) {
  const [reply, setReply] = useState<Reply<Replay> | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let timer = 0;
    let isWanted = true;
    setReply(null);
    const ask = async (left: number) => {
      const found = await readReplay(table, match, momentIn(location.search).hand, guestToken());
      if (!isWanted) return;
      const mayCome = !found.ok && (isForNow(found.code) || found.code === "UNKNOWN_MATCH");
      if (mayCome && left > 1) timer = window.setTimeout(() => void ask(left - 1), PAUSE);
      else setReply(found);
    };
    void ask(TRIES);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [table, match, attempt]);
  return [reply, () => setAttempt(attempt + 1)] as const;
}

/** A match of the past, move by move; `?mao=2&lance=17` leads to a moment in it. */
export default function ReplayScreen(props: Props) {
  useEffect(() => show(null), []);
  const [reply, again] = useReplay(props);
  if (reply === null) return <main class="loading" id="game">{p("loading")}</main>;
  if (!reply.ok) return <Trouble code={reply.code} onAgain={again} />;
  if (reply.value.hands.length === 0) return <Trouble code={reply.value.ended === undefined ? "NOT_YET" : "EMPTY"} onAgain={again} />;
  return <Theatre replay={reply.value} />;
}

const TROUBLES: Readonly<Record<string, Parameters<typeof p>[0]>> = {
  UNKNOWN_MATCH: "gone",
  NOT_SEATED: "closed",
  NOT_YET: "notYet",
  EMPTY: "empty",
};

function Trouble({ code, onAgain }: { readonly code: string; onAgain(): void }) {
  return (
    <main class="lost" id="game" data-testid="replay-lost">
      <Umbrella size={96} />
      <h1>{p(TROUBLES[code] ?? "later")}</h1>
      {(isForNow(code) || code === "NOT_YET") && (
        <button type="button" class="primary" data-testid="again" onClick={onAgain}>
          {t("linkReload")}
        </button>
      )}
      <Link to={HISTORY} testid="to-history">
        {p("history")}
      </Link>
    </main>
  );
}

function Theatre({ replay }: { readonly replay: Replay }) {
  const player = usePlayer(replay);
  const [open, setOpen] = useState(true);
  const [sheet, setSheet] = useState(false);
  useKeys(player);
  useJudging(replay);
  const { moment } = player;
  const hand = handAt(replay, moment.hand);
  const state = stateAt(replay, moment);
  if (hand === undefined || state === null) return null;
  const title = p("title", { hand: moment.hand, code: spelled(shortCode(replay.table)) });
  const tools = <Tools replay={replay} state={state} hand={hand} player={player} open={open} onOpen={setOpen} />;
  return (
    <div class="table-page replay" data-hand={moment.hand} data-move={moment.move}>
      <Bar title={title} replay={replay} state={state} player={player} onMenu={() => setSheet(true)} />
      {isWide.value && <aside class="side">{tools}</aside>}
      <Stage replay={replay} state={state} hand={hand} player={player} open={open} />
      {sheet && !isWide.value && (
        <Sheet title={title} testid="replay-sheet" onClose={() => setSheet(false)}>
          {tools}
        </Sheet>
      )}
      <p class="unseen" role="status" aria-live="polite" data-testid="live">
        {told(replay, state, moment.move)}
      </p>
    </div>
  );
}

interface BarProps {
  readonly title: string;
  readonly replay: Replay;
  readonly state: TableState;
  readonly player: Player;
  onMenu(): void;
}

function Bar({ title, replay, state, player, onMenu }: BarProps) {
  return (
    <header class="bar">
      <h1 class="unseen">{title}</h1>
      <Link to="/" testid="to-home" class="mark">
        <Umbrella />
        <Wordmark />
        <span class="unseen">{t("cupHome")}</span>
      </Link>
      <Score state={state} />
      <select
        data-testid="pick-hand"
        aria-label={p("pick")}
        value={player.moment.hand}
        onChange={(event) => player.go({ hand: Number(event.currentTarget.value), move: 0 })}
      >
        {replay.hands.map(({ number }) => (
          <option key={number} value={number} selected={number === player.moment.hand}>
            {p("handOf", { n: number })}
          </option>
        ))}
      </select>
      {!isWide.value && (
        <button type="button" class="boxed icon" data-testid="menu" aria-label={p("menu")} onClick={onMenu}>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M4 6.500h16M4 12h16M4 17.500h16" />
          </svg>
        </button>
      )}
    </header>
  );
}

interface StageProps {
  readonly replay: Replay;
  readonly state: TableState;
  readonly hand: PastHand;
  readonly player: Player;
  readonly open: boolean;
}

function Stage({ replay, state, hand, player, open }: StageProps) {
  const near = nearSeat(state);
  const { hands } = situationAt(hand, player.moment.move);
  const move = hand.moves[player.moment.move - 1];
  const partsOf = (seat: number) => ({
    state,
    seat,
    tiles: hands[seat] ?? [],
    open: open || seat === state.view.me,
    move: move?.seat === seat ? move : undefined,
  });
  return (
    <main class="game" id="game">
      <section class="seats">
        {[1, 2, 3].map((step) => (
          <PastSeat key={step} {...partsOf((near + step) % 4)} />
        ))}
      </section>
      <div class="stage">
        <Board view={state.view} pendingAt={null} ghosts={[]} onGhost={() => undefined} onCancel={() => undefined} />
      </div>
      <section class="own">
        <NearSeat {...partsOf(near)}>
          <Prompt state={state} hand={hand} move={player.moment.move} />
        </NearSeat>
        <Controls player={player} hand={hand}>
          <Chance replay={replay} state={state} {...player.moment} />
        </Controls>
      </section>
    </main>
  );
}

/** What has just happened, and what lies open. */
function Prompt({ state, hand, move }: { readonly state: TableState; readonly hand: PastHand; readonly move: number }) {
  const now = hand.moves[move - 1];
  const { hand_end: end, match_end: match } = state.view;
  const name = now === undefined ? "" : pastNameOrYou(state, now.seat);
  const asides = [
    endsInWords(state.view.ends),
    now === undefined ? "" : instead(now, state, now.seat),
    judged({ hand: hand.number, move }),
  ];
  return (
    <p class="prompt" data-testid="prompt">
      <b>{now === undefined ? opening(hand, state) : t("saidBy", { name, words: called(now) })}</b>
      {end === undefined ? (
        <span>{asides.filter((part) => part !== "").join(" · ")}</span>
      ) : (
        <span class={`stands ${end.team === undefined ? "" : end.team === nearSeat(state) % 2 ? "us" : "them"}`}>
          {match === undefined ? endTold(end, state) : matchTold(match, state)}
        </span>
      )}
    </p>
  );
}

interface ToolsProps extends StageProps {
  onOpen(open: boolean): void;
}

/** Beside the table, or in a sheet where there is no room. */
function Tools({ replay, state, hand, player, open, onOpen }: ToolsProps) {
  const over = stateAt(replay, { hand: hand.number, move: hand.moves.length }) ?? state;
  return (
    <>
      <Moves hand={hand} state={state} player={player} />
      <div class="tools">
        {state.view.me !== undefined && (
          <label class="switch">
            <span>{p("open")}</span>
            <input
              type="checkbox"
              role="switch"
              data-testid="open-hands"
              checked={open}
              onChange={(event) => onOpen(event.currentTarget.checked)}
            />
          </label>
        )}
        <Share state={state} over={over} hand={hand} player={player} />
        {replay.championship !== undefined && <ToBracket state={state} kind="text" />}
        <Fairness key={hand.number} state={over} end={hand.end} />
        {replay.ended === undefined ? <p class="quiet">{p("runs")}</p> : <Judge replay={replay} state={state} />}
      </div>
    </>
  );
}
