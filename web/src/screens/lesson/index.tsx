// The hints over the table: one line that says what to do, and a card that tells one thing at a
// time. They lie outside the board, and the card goes away as soon as a tile is touched.

import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect } from "preact/hooks";
import "./lesson.css";
import { Umbrella } from "../../art/Umbrella";
import { DOMINO_POINTS } from "../../game/domino";
import { numberName } from "../../game/calls";
import { currentLang, t, tn, type Key, type Values } from "../../i18n";
import { nameOf } from "../../state/names";
import { lifted, myTurn } from "../../state/play";
import { endLesson } from "../../state/lesson";
import { talk } from "../../state/session";
import type { TableState } from "../../state/table";
import type { Talk } from "../../state/talk";
import { Strong } from "../../ui/Strong";
import { tileName } from "../../ui/words";
import { announce } from "../table/announce";
import { BEGINNING, taskOf, teach, type Heard, type Progress, type Task, type Topic } from "./hints";
import { l } from "./words";

export { wordsReady } from "./words";
export { LessonDone } from "./Done";

const progress = signal<Progress>(BEGINNING);
/** The turn whose card was put away, or was never to come up by itself. */
const putAway = signal<number | null>(null);

export function Lesson({ state }: { readonly state: TableState }) {
  const { view } = state;
  const task = taskOf(view, myTurn.value, lifted.value);
  const line = lineOf(state, task);
  const { topic, turn } = progress.value;
  const here = topic !== null && turn === view.turn?.turn && myTurn.value !== null && lifted.value === null;
  const isOpen = here && putAway.value !== turn;
  const card = here ? cardOf(state, topic) : "";
  useLayoutEffect(() => {
    const base = taskOf(view, myTurn.peek(), null);
    progress.value = teach(progress.peek(), view, base, heardOf(talk.peek(), view.me));
    // The choice of an opener has a panel of its own where the card would be.
    if (base.do === "choose") putAway.value = view.turn?.turn ?? null;
  }, [state.seq]);
  useEffect(() => {
    if (view.match > 1) endLesson();
  }, [view.match]);
  useEffect(() => {
    if (isOpen) announce(card.replaceAll("*", ""));
  }, [isOpen, card]);
  return (
    <aside class="lesson" aria-label={l("title")} data-testid="lesson" data-task={task.do} data-topic={here ? topic : ""}>
      {isOpen && (
        <div class="lesson-card" data-testid="lesson-card">
          <p>
            <Strong text={card} />
          </p>
          <button type="button" class="small primary" data-testid="lesson-ok" onClick={() => (putAway.value = turn)}>
            {l("understood")}
          </button>
        </div>
      )}
      <div class="lesson-bar">
        <Umbrella size={26} />
        <p data-testid="lesson-line">{line}</p>
        {here && !isOpen && (
          <button type="button" class="boxed icon" data-testid="lesson-again" aria-label={l("again")} onClick={() => (putAway.value = null)}>
            ?
          </button>
        )}
        <button type="button" class="boxed icon" data-testid="lesson-stop" aria-label={l("stopLong")} title={l("stopLong")} onClick={endLesson}>
          ×
        </button>
      </div>
    </aside>
  );
}

/** What has been said by others in the hand that is played. */
function heardOf({ lines }: Talk, me: number | undefined): Heard {
  const dealt = lines.findLastIndex((line) => line.kind === "dealt");
  const said = lines.slice(dealt + 1).filter((line) => line.kind === "said" && line.seat !== me);
  const calls = said.flatMap((line) => (line.kind === "said" ? line.calls : []));
  return {
    knocked: calls.some(({ kind }) => kind === "pass"),
    called: calls.some(({ kind }) => kind === "end" || kind === "all" || kind === "double"),
  };
}

function lineOf(state: TableState, task: Task): string {
  switch (task.do) {
    case "open_double":
    case "one_fits":
      return l(`do_${task.do}`, { tile: tileName(task.tile) });
    case "some_fit":
      return l("do_some_fit", { count: task.count });
    case "last": {
      const kind = t(`reason_${task.kind}` satisfies Key);
      return l("do_last", { kind, points: tn("endPoints", DOMINO_POINTS[task.kind] * state.view.multiplier) });
    }
    case "wait":
      return l("do_wait", { name: nameOf(state, task.seat) });
    case "sent":
      return t("promptSending");
    default:
      return l(`do_${task.do}`);
  }
}

function cardOf(state: TableState, topic: Topic): string {
  return l(`tell_${topic}`, valuesOf(state));
}

function valuesOf(state: TableState): Values {
  const { ends = [0, 0], me = 0, multiplier } = state.view;
  const [left, right] = ends.map((number) => numberName(currentLang(), number));
  const both = { left: left ?? "", right: right ?? "" };
  const either = ends[0] === ends[1] ? both.left : l("eitherEnd", both);
  return { ...both, ends: either, partner: nameOf(state, (me + 2) % 4), times: multiplier };
}
