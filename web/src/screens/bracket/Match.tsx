// A match as it stands in the bracket: both teams, points, and what goes on.

import { sentence, t } from "../../i18n";
import type { Source } from "../../game/bracket";
import { isDecided, isOpen, teamOf } from "../../game/path";
import type { Bracket, Match, Team } from "../../net/protocol.gen";
import { replayPath, tablePath } from "../../router";
import { animalName } from "../../state/animals";
import type { BracketState } from "../../state/contest";
import { Avatar } from "../../ui/Avatar";
import { Clock } from "../../ui/Clock";
import { Link } from "../../ui/Link";
import { matchName, realNames, teamTold } from "../../ui/match";

/** For whom a place is kept that nobody has yet. */
export function Awaited({ source: { match, result } }: { readonly source: Source }) {
  return <>{t(result === "winner" ? "brWinnerOf" : "brLoserOf", { match: matchName(match) })}</>;
}

/** Who they were if that may be known, else their animals. */
const namesOf = (team: Team) => realNames(team) ?? team.animals.map(animalName);

/** Whether a match is played now, or about to be: nothing is once a championship was stopped. */
const isOn = ({ stage }: Bracket, match: Match) => stage === "running" && isOpen(match);

/** That a match is played now, or when it starts; nothing else. */
export function MatchState({ match, state }: { readonly match: Match; readonly state: BracketState }) {
  const { bracket, now } = state;
  if (!isOn(bracket, match)) return null;
  return (
    <small class="goes-on">
      {match.ms === undefined ? t("brRuns") : <Clock at={now + match.ms} counted="brStarts" soon="brStartsSoon" />}
    </small>
  );
}

interface Props {
  readonly state: BracketState;
  readonly match: Match;
  /** For whom the places are kept, where they are not known. */
  readonly sources: readonly [Source, Source] | undefined;
}

export function MatchCard({ state, match, sources }: Props) {
  const { bracket } = state;
  const own = bracket.mine?.team;
  const mine = own !== undefined && match.teams.includes(own);
  const on = isOn(bracket, match);
  const kind = ["match", mine ? "mine" : "", isDecided(match) ? "decided" : "", on ? "is-open" : ""];
  return (
    <article
      class={kind.filter((name) => name !== "").join(" ")}
      data-testid={`match-${match.id}`}
      aria-label={`${matchName(match.id)}: ${story(bracket, match, sources)}${mine ? ` (${t("brYourTeam")})` : ""}`}
    >
      <header aria-hidden="true">
        <span>{matchName(match.id)}</span>
        <MatchState match={match} state={state} />
      </header>
      {[0, 1].map((side) => (
        <Side key={side} bracket={bracket} match={match} side={side} source={sources?.[side]} />
      ))}
      {on && match.table !== undefined && (
        <Link to={tablePath(match.table)} testid={`watch-${match.id}`} class="watch">
          {t(mine ? "callGo" : "brWatch")} <span class="unseen">{matchName(match.id)}</span>
        </Link>
      )}
      {isDecided(match) && match.table !== undefined && (
        <Link to={replayPath(match.table, 1)} testid={`again-${match.id}`} class="watch again">
          {t("matchReplay")} <span class="unseen">{matchName(match.id)}</span>
        </Link>
      )}
    </article>
  );
}

interface SideProps {
  readonly bracket: Bracket;
  readonly match: Match;
  readonly side: number;
  readonly source: Source | undefined;
}

/** Names of more letters are set smaller where there is little room. */
const LONG = 16;

/** One of the two teams: its animals, its points, whether it won and whether it is one's own. */
function Side({ bracket, match, side, source }: SideProps) {
  const number = match.teams[side] ?? null;
  const team = number === null ? undefined : teamOf(bracket, number);
  if (team === undefined) {
    return (
      <p class="side-of unknown" aria-hidden="true">
        {source === undefined ? t("brUnknown") : `${source.result === "winner" ? "↑" : "↓"} ${matchName(source.match)}`}
      </p>
    );
  }
  const won = match.winner === number;
  const own = bracket.mine?.team === number;
  return (
    <p class={`side-of ${won ? "has-won" : isDecided(match) ? "has-lost" : ""} ${own ? "yours" : ""}`} aria-hidden="true">
      <span class="couple">
        <Avatar animal={team.animals[0]} />
        <Avatar animal={team.animals[1]} />
      </span>
      <span class="name">
        {namesOf(team).map((name, i) => (
          <span key={i} class={name.length > LONG ? "long" : ""}>
            {name}
          </span>
        ))}
      </span>
      <b>{match.scores?.[side]}</b>
    </p>
  );
}

/** The match in one sentence, for who hears it. */
export function story(bracket: Bracket, match: Match, sources?: readonly [Source, Source]): string {
  const [one, other] = match.teams.map((number, side) => {
    const team = number === null ? undefined : teamOf(bracket, number);
    const source = sources?.[side];
    if (team !== undefined) return teamTold(team);
    if (source === undefined) return t("brUnknown");
    return t(source.result === "winner" ? "brWinnerOf" : "brLoserOf", { match: matchName(source.match) });
  });
  const pair = sentence("brAgainst", { one: one ?? "", other: other ?? "" });
  const winner = match.winner === undefined ? undefined : teamOf(bracket, match.winner);
  if (winner === undefined) return isOn(bracket, match) ? `${pair}, ${t("brRuns")}` : pair;
  const score = match.scores?.toSorted((a, b) => b - a).join(" : ") ?? "";
  return `${pair}. ${sentence("brWins", { team: teamTold(winner), score })}`;
}
