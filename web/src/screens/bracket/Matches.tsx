// All matches. One nested list of sides, rounds and matches, which anybody can read; where there is
// room it is laid out as a tree, with lines drawn behind it, else one round is shown at a time.

import { useMemo, useState } from "preact/hooks";
import { BOX, roundsOf, sourcesOf, treeOf, type Tree } from "../../game/bracket";
import { roundOf } from "../../game/match";
import { t, type Key } from "../../i18n";
import type { Bracket, Match } from "../../net/protocol.gen";
import { isOpen } from "../../game/path";
import type { BracketState } from "../../state/contest";
import { isWide } from "../../ui/screen";
import { roundName } from "../../ui/match";
import { MatchCard } from "./Match";
import { Path } from "./Own";

interface Props {
  readonly state: BracketState;
}

export function Matches({ state }: Props) {
  return isWide.value ? <Whole state={state} /> : <ByRound state={state} />;
}

const PATH = "path";

/** On small screens: one's own path first, then a round at a time; nothing has to be swiped. */
function ByRound({ state }: Props) {
  const { bracket } = state;
  const own = bracket.mine?.team;
  const rounds = useMemo(() => roundsOf(bracket.matches.map(({ id }) => id)), [bracket.matches.length]);
  const [chosen, setChosen] = useState(own === undefined ? current(bracket, rounds) : PATH);
  const tabs = [...(own === undefined ? [] : [PATH]), "F", ...of(rounds, "W"), ...of(rounds, "L")];
  const tab = (name: string) => <Tab key={name} tab={name} tabs={tabs} chosen={chosen} onChoose={setChosen} />;
  return (
    <section class="by-round" aria-label={t("brBracket")}>
      <div class="tabs" role="tablist" aria-label={t("brRounds")}>
        <div class="tab-row" role="presentation">
          {tabs.filter((name) => name === PATH || name === "F").map(tab)}
        </div>
        {(["W", "L"] as const).map((side) => (
          <div key={side} class="tab-row" role="presentation">
            <span aria-hidden="true">{t(`side${side}` satisfies Key)}</span>
            {of(rounds, side).map(tab)}
          </div>
        ))}
      </div>
      <div role="tabpanel" id="round-panel" aria-labelledby={`tab-${chosen}`}>
        {chosen === PATH && own !== undefined ? (
          <Path state={state} team={own} />
        ) : (
          <Round state={state} round={chosen} />
        )}
      </div>
    </section>
  );
}

const of = (rounds: readonly string[], side: string) => rounds.filter((round) => round.startsWith(side));

/** The round in which something is open: what who only looks wants to see first. */
function current({ matches }: Bracket, rounds: readonly string[]): string {
  const open = matches.find(isOpen);
  return open === undefined ? (rounds.at(-1) ?? "W1") : roundOf(open.id);
}

interface TabProps {
  readonly tab: string;
  readonly tabs: readonly string[];
  readonly chosen: string;
  onChoose(tab: string): void;
}

function Tab({ tab, tabs, chosen, onChoose }: TabProps) {
  const move = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    onChoose(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  const name = tab === PATH ? t("brMine") : roundName(tab);
  const long = tab === PATH || tab === "F";
  return (
    <button
      type="button"
      role="tab"
      class={long ? "long" : ""}
      id={`tab-${tab}`}
      aria-label={name}
      aria-selected={tab === chosen}
      aria-controls="round-panel"
      tabIndex={tab === chosen ? 0 : -1}
      data-testid={`tab-${tab}`}
      onClick={() => onChoose(tab)}
      onKeyDown={move}
    >
      {long ? name : tab.slice(1)}
    </button>
  );
}

function inRound({ matches }: Bracket, round: string): readonly Match[] {
  return matches.filter(({ id }) => roundOf(id) === round);
}

function Round({ state, round }: Props & { readonly round: string }) {
  const sources = sourcesOf(state.bracket.teams.length);
  return (
    <ol class="round" data-testid={`round-${round}`}>
      {inRound(state.bracket, round).map((match) => (
        <li key={match.id}>
          <MatchCard state={state} match={match} sources={sources.get(match.id)} />
        </li>
      ))}
    </ol>
  );
}

const SIDES = ["W", "L", "F"] as const;
const rem = (length: number) => `${length}rem`;
const columns = (length: number) => `calc(${length} * var(--column))`;

/** On large screens: the whole tree, to be moved about in where it is wider than the page. */
function Whole({ state }: Props) {
  const { bracket } = state;
  const ids = bracket.matches.map(({ id }) => id);
  const tree = useMemo(() => treeOf(bracket.teams.length, ids), [ids.length]);
  const rounds = roundsOf(ids);
  return (
    // A region that scrolls has to be within reach of the keyboard.
    <div class="tree-frame" role="region" aria-label={t("brBracket")} tabIndex={0}>
      <div class="tree" data-testid="tree" style={{ "--columns": tree.width, height: rem(tree.height) }}>
        <Lines tree={tree} bracket={bracket} />
        <ol>
          {SIDES.map((side) => (
            <li key={side}>
              <h2 class="unseen">{t(`side${side}` satisfies Key)}</h2>
              <ol>
                {of(rounds, side).map((round) => (
                  <TreeRound key={round} state={state} round={round} tree={tree} />
                ))}
              </ol>
            </li>
          ))}
        </ol>
      </div>
    </div>
  );
}

function TreeRound({ state, round, tree }: Props & { readonly round: string; readonly tree: Tree }) {
  const head = tree.heads.get(round) ?? { x: 0, y: 0 };
  const sources = sourcesOf(state.bracket.teams.length);
  return (
    <li>
      <h3 class={`at ${round.charAt(0)}`} style={{ left: columns(head.x), top: rem(head.y) }}>
        {roundName(round)}
      </h3>
      <ol>
        {inRound(state.bracket, round).map((match) => {
          const { x, y } = tree.spots.get(match.id) ?? { x: 0, y: 0 };
          const place = { left: columns(x), top: rem(y), height: rem(BOX.height) };
          return (
            <li key={match.id} class="at" style={place}>
              <MatchCard state={state} match={match} sources={sources.get(match.id)} />
            </li>
          );
        })}
      </ol>
    </li>
  );
}

/** The ways of the winners; those of one's own team are drawn over the others. */
function Lines({ tree, bracket }: { readonly tree: Tree; readonly bracket: Bracket }) {
  const own = bracket.mine?.team;
  const isOwn = (from: string) =>
    own !== undefined && bracket.matches.some(({ id, winner }) => id === from && winner === own);
  const lines = tree.lines.toSorted((one, other) => Number(isOwn(one.from)) - Number(isOwn(other.from)));
  return (
    <svg class="lines" viewBox={`0 0 ${tree.width} ${tree.height}`} preserveAspectRatio="none" aria-hidden="true">
      {lines.map(({ from, to, path }) => (
        <path key={`${from} ${to}`} class={isOwn(from) ? "yours" : ""} d={path} />
      ))}
    </svg>
  );
}
