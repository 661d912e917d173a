// Friends, clock and championships: R20-R25 and R31-R44.

import { t, type Key } from "../../i18n";
import { POINTS, pointsOf } from "./examples";
import { Card, Say } from "./Parts";
import { r } from "./words";

const TIERS = ["bronze", "silver", "gold"] as const;

export function Friends() {
  return (
    <>
      <Say text="amigos1" rules={[31]} />
      <Say text="amigos2" rules={[25]} />
      <Say text="amigos3" rules={[32]} />
    </>
  );
}

export function ClockRules() {
  return (
    <>
      <Say text="relogio1" rules={[20]} />
      <ul class="clocks">
        <li>
          <b>15</b>
          <span>{r("capLong")}</span>
        </li>
        <li>
          <b>3</b>
          <span>{r("capShort")}</span>
        </li>
      </ul>
      <Say text="relogio2" rules={[24]} />
      <Say text="relogio3" rules={[21]} />
      <Say text="relogio4" rules={[22]} />
      <Say text="relogio5" rules={[23]} />
    </>
  );
}

export function Championship() {
  return (
    <>
      <Say text="camp1" rules={[33]} />
      <ul class="rule-cards tiers">
        {TIERS.map((tier) => {
          const { people } = POINTS[tier];
          return (
            <Card key={tier} title={t(`tier_${tier}` satisfies Key)} kind={tier}>
              <p>{r("campPeople", { n: people, teams: people / 2 })}</p>
            </Card>
          );
        })}
      </ul>
      <Say text="camp2" rules={[34]} />
      <Say text="camp3" rules={[35]} />
      <Say text="camp4" rules={[36]} />
      <Say text="camp5" rules={[37]} />
      <Say text="camp6" rules={[38]} />
      <Say text="camp7" rules={[41]} />
    </>
  );
}

export function WhoIsWho() {
  return <Say text="segredo1" rules={[40]} />;
}

export function Points() {
  return (
    <>
      <Say text="pontos1" rules={[39]} />
      <PointsTable />
      <Say text="pontos2" rules={[42, 43]} />
      <Say text="pontos3" rules={[44]} />
    </>
  );
}

/** Points of each place, by the number of teams. */
function PointsTable() {
  return (
    <table class="points-table">
      <thead>
        <tr>
          <th scope="col">{r("pontosPlace")}</th>
          {TIERS.toReversed().map((tier) => (
            <th key={tier} scope="col">
              {r("pontosTeams", { n: POINTS[tier].people / 2 })}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {POINTS.gold.places.map((place) => (
          <tr key={place}>
            <th scope="row">{place}</th>
            {TIERS.toReversed().map((tier) => {
              const places: readonly string[] = POINTS[tier].places;
              const index = places.indexOf(place);
              return <td key={tier}>{index < 0 ? "–" : pointsOf(places, index)}</td>;
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
