// Who was who, and what it was worth: shown for a team once it is out or champion (R39, R40).

import { sentence, t } from "../../i18n";
import type { Bracket, Team } from "../../net/protocol.gen";
import { animalTold } from "../../state/animals";
import { Avatar } from "../../ui/Avatar";
import { placeName, pointsName, realNames } from "../../ui/match";

/** The best place first. */
function placed({ teams }: Bracket): readonly Team[] {
  const known = teams.filter(({ place }) => place !== undefined);
  return known.toSorted((one, other) => (one.place?.[0] ?? 0) - (other.place?.[0] ?? 0));
}

export function Places({ bracket }: { readonly bracket: Bracket }) {
  const teams = placed(bracket);
  if (teams.length === 0) return null;
  return (
    <section class="places" aria-labelledby="who-was-who">
      <h2 id="who-was-who">{t("brWho")}</h2>
      {bracket.stage === "running" && <p class="quiet">{t("brWhoRunning")}</p>}
      <ol>
        {teams.map((team) => (
          <Placed key={team.number} team={team} bracket={bracket} />
        ))}
      </ol>
    </section>
  );
}

function Placed({ team, bracket }: { readonly team: Team; readonly bracket: Bracket }) {
  const champion = bracket.champion === team.number;
  const kind = `${champion ? "champion" : ""} ${bracket.mine?.team === team.number ? "yours" : ""}`;
  const names = realNames(team);
  return (
    <li class={kind} data-testid={`placed-${team.number}`}>
      <p class="place">
        <b>{champion ? t("brChampion") : placeName(team.place ?? [0, 0])}</b>
        {team.points !== undefined && team.points > 0 && <span>{pointsName(team.points)}</span>}
      </p>
      {team.animals.map((animal, i) => (
        <p key={animal} class="who-was">
          <Avatar animal={animal} />
          <span>{names === null ? animalTold(animal) : sentence("brWas", { animal: animalTold(animal), name: names[i] ?? "" })}</span>
        </p>
      ))}
    </li>
  );
}
