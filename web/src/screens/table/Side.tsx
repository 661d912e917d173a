import { useLayoutEffect, useRef } from "preact/hooks";
import { phrase } from "../../game/calls";
import { about, currentLang, t, tn, type Key } from "../../i18n";
import { nameOrYou, ownTeam, toldUnlessYou } from "../../state/names";
import { talk } from "../../state/session";
import type { TableState } from "../../state/table";
import type { Line } from "../../state/talk";
import { Promised } from "./Proof";

/** Everything that was said at the table, newest at the bottom. */
export function TalkLog({ state }: { readonly state: TableState }) {
  const list = useRef<HTMLOListElement>(null);
  const { lines } = talk.value;
  useLayoutEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [lines]);
  return (
    <section class="talk">
      <h2>{t("talkTitle")}</h2>
      {lines.length === 0 && <p class="quiet">{t("talkEmpty")}</p>}
      <ol ref={list} data-testid="talk" tabIndex={0}>
        {lines.map((line) => (
          <TalkLine key={keyOf(line)} line={line} state={state} />
        ))}
      </ol>
    </section>
  );
}

const SEAT_WORDS = { gone: "talkGone", back: "talkBack", stand_in: "talkStandIn" } as const;

interface SpokenProps {
  readonly state: TableState;
  readonly seat: number;
  readonly text: string;
}

function Spoken({ state, seat, text }: SpokenProps) {
  return (
    <li class="aside">
      <b>{nameOrYou(state, seat)}</b>
      <span>{text}</span>
    </li>
  );
}

function TalkLine({ line, state }: { readonly line: Line; readonly state: TableState }) {
  switch (line.kind) {
    case "phrase":
      return <Spoken state={state} seat={line.seat} text={`“${t(`phrase_${line.phrase}` satisfies Key)}”`} />;
    case "seat":
      return <Spoken state={state} seat={line.seat} text={t(SEAT_WORDS[line.what])} />;
    case "given_back":
      return <Spoken state={state} seat={line.seat} text={t("talkGivenBack")} />;
    case "dealt":
      return <li class="divide">{t("talkHand", { n: line.hand })}</li>;
    case "chose":
      return (
        <li>
          <b>{nameOrYou(state, line.seat)}</b>
          <span>{about("talkChose", toldUnlessYou(state, line.opener))}</span>
        </li>
      );
    case "ended":
      return (
        <li class={line.team === null ? "result" : `result ${teamClass(state, line.team)}`}>
          {t(`reason_${line.reason}` satisfies Key)}
          {line.points > 0 && <b>+{line.points}</b>}
        </li>
      );
    case "said":
      return (
        <li>
          <b>{nameOrYou(state, line.seat)}</b>
          <span>
            {line.calls.map((call) => phrase(currentLang(), call)).join(" ")}
            {line.byClock && <small> ({t("talkClock")})</small>}
          </span>
        </li>
      );
  }
}

function keyOf(line: Line): string {
  const which = line.kind === "phrase" ? line.n : "seat" in line ? line.seat : "";
  return `${line.seq} ${line.kind} ${which}`;
}

export function teamClass(state: TableState, team: number): "us" | "them" {
  return team === ownTeam(state) ? "us" : "them";
}

/** The hands of this match so far. */
export function ScoreSheet({ state }: { readonly state: TableState }) {
  const { sheet } = state.view;
  const own = ownTeam(state);
  return (
    <section class="sheet-scores">
      <h2>{t("scoresTitle")}</h2>
      {sheet.length === 0 && <p class="quiet">{t("scoresEmpty")}</p>}
      <ol data-testid="sheet">
        {sheet.map((hand, i) => (
          <li key={i}>
            <span class="what">
              {t(`reason_${hand.reason}` satisfies Key)}
              {hand.points > 0 && <small> {tn("endPoints", hand.points)}</small>}
            </span>
            <b class="us">{hand.scores[own]}</b>
            <b class="them">{hand.scores[1 - own]}</b>
          </li>
        ))}
      </ol>
    </section>
  );
}

export function Side({ state }: { readonly state: TableState }) {
  return (
    <aside class="side">
      <TalkLog state={state} />
      <ScoreSheet state={state} />
      <Promised state={state} />
    </aside>
  );
}
