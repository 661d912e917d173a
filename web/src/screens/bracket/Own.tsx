// Who the person is in this championship, how their team stands, and what comes next.

import { sentence, t, type Key } from "../../i18n";
import { pathOf, standingOf, teamOf, type Standing, type Step } from "../../game/path";
import type { Bracket, Mine } from "../../net/protocol.gen";
import { go, replayPath, tablePath } from "../../router";
import { animalTold } from "../../state/animals";
import type { BracketState } from "../../state/contest";
import { sitsAt } from "../../state/session";
import { Avatar } from "../../ui/Avatar";
import { Link } from "../../ui/Link";
import { matchName, placeName, pointsName, teamName } from "../../ui/match";
import { Awaited, MatchState } from "./Match";

interface Props {
  readonly state: BracketState;
  readonly mine: Mine;
}

export function Own({ state, mine }: Props) {
  const { bracket } = state;
  const team = teamOf(bracket, mine.team);
  if (team === undefined) return null;
  const standing = standingOf(bracket, mine.team);
  const partner = team.animals.find((animal) => animal !== mine.animal) ?? "";
  const you = sentence("brYou", { animal: animalTold(mine.animal), partner: animalTold(partner) });
  return (
    <section class={`own-team ${standing.kind}`} data-testid="own-team" data-standing={standing.kind}>
      <div class="couple" aria-hidden="true">
        <Avatar animal={mine.animal} />
        <Avatar animal={partner} />
      </div>
      <div>
        <p data-testid="own-animals">{you}</p>
        <Stands standing={standing} />
      </div>
      <Next state={state} standing={standing} />
    </section>
  );
}

function Stands({ standing }: { readonly standing: Standing }) {
  if (standing.kind === "champion" || standing.kind === "out") {
    const { place = [1, 1] as const, points = 0 } = standing.team;
    return (
      <h2>
        {t(standing.kind === "out" ? "brOut" : "brChampionYou")}{" "}
        <small>
          {placeName(place)} · {pointsName(points)}
        </small>
      </h2>
    );
  }
  if (standing.kind === "stopped") return null;
  return (
    <h2>
      {t(standing.kind === "plays" ? "brPlaysNext" : "brWaits")} <small>{matchName(standing.step.match)}</small>
    </h2>
  );
}

/** The way to the own table, or whom one waits for. */
function Next({ state, standing }: { readonly state: BracketState; readonly standing: Standing }) {
  if (standing.kind === "waits") return <p class="quiet">{sourceText(standing.step)}</p>;
  if (standing.kind !== "plays" || standing.step.table === "") return null;
  const { match, table } = standing.step;
  const known = state.bracket.matches.find(({ id }) => id === match);
  const play = () => {
    sitsAt(table);
    go(tablePath(table));
  };
  return (
    <div class="row">
      <button type="button" class="primary" data-testid="own-table" onClick={play}>
        {t("callGo")}
      </button>
      {known !== undefined && <MatchState match={known} state={state} />}
    </div>
  );
}

const sourceText = ({ awaits }: Step) => (awaits === null ? "" : <Awaited source={awaits} />);

/** The team's matches from the first to the one that comes next. */
export function Path({ state, team }: { readonly state: BracketState; readonly team: number }) {
  const { bracket } = state;
  return (
    <ol class="path" data-testid="path">
      {pathOf(bracket, team).map((step) => (
        <li key={step.match} class={step.result === null ? "is-open" : `has-${step.result}`} data-testid={`step-${step.match}`}>
          <b>
            {step.result === null || step.table === "" ? (
              matchName(step.match)
            ) : (
              <Link to={replayPath(step.table, 1)} testid={`again-${step.match}`}>
                {matchName(step.match)}
                <span class="unseen">. {t("matchReplay")}</span>
              </Link>
            )}
          </b>
          <span>{rivalOf(bracket, step)}</span>
          <StepEnd state={state} step={step} />
        </li>
      ))}
    </ol>
  );
}

function rivalOf(bracket: Bracket, { rival, awaits }: Step) {
  const team = rival === null ? undefined : teamOf(bracket, rival);
  if (team !== undefined) return teamName(team);
  return awaits === null ? t("brUnknown") : <Awaited source={awaits} />;
}

const RESULTS = { won: "brWon", lost: "brLost" } as const satisfies Record<string, Key>;

function StepEnd({ state, step }: { readonly state: BracketState; readonly step: Step }) {
  const match = state.bracket.matches.find(({ id }) => id === step.match);
  if (step.result === null) return match === undefined ? null : <MatchState match={match} state={state} />;
  return (
    <span class="result">
      {t(RESULTS[step.result])} <b>{step.scores?.join(" : ")}</b>
    </span>
  );
}
