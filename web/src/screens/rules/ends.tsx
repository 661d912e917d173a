// How hands and matches end, and what they are worth: R14-R19 and R26-R29.

import { weight } from "../../game/tiles";
import { t, tn, type Key } from "../../i18n";
import { BLOCKED, LAST, LEFT_OVER } from "./examples";
import { Card, Say } from "./Parts";
import { Figure, Held, Laid } from "./Picture";
import { r } from "./words";
import type { RuleKey } from "./words/pt";

const KINDS: readonly (readonly [keyof typeof LAST, number, RuleKey])[] = [
  ["domino_simple", 1, "batidaSimple"],
  ["domino_double", 2, "batidaDouble"],
  ["la_e_lo", 3, "batidaLaELo"],
  ["cruzada", 4, "batidaCruzada"],
];

export function GoingOut() {
  return (
    <>
      <Say text="batida1" rules={[14]} />
      <Say text="batida2" rules={[15]} />
      <ul class="rule-cards">
        {KINDS.map(([kind, points, text]) => (
          <Card key={kind} title={t(`reason_${kind}` satisfies Key)} stamp={tn("endPoints", points)}>
            <div class="clay-strip">
              <Laid chain={LAST[kind]} fresh />
            </div>
            <p>{r(text)}</p>
          </Card>
        ))}
      </ul>
      <Say text="batida3" />
    </>
  );
}

export function Blocked() {
  const counts = LEFT_OVER.map((hand) => hand.reduce((sum, tile) => sum + weight(tile), 0));
  const lowest = Math.min(...counts);
  return (
    <>
      <Say text="tranque1" rules={[16]} />
      <Figure caption={r("capBlocked")}>
        <Laid chain={BLOCKED} width={9} />
      </Figure>
      <Say text="tranque2" rules={[17]} />
      <figure class="rule-figure">
        <ul class="counted">
          {LEFT_OVER.map((hand, seat) => (
            <li key={counts[seat]} class={counts[seat] === lowest ? "lowest" : ""}>
              <Held tiles={hand} />
              <b class="stamped">{counts[seat]}</b>
            </li>
          ))}
        </ul>
        <figcaption>{r("capCount", { n: lowest })}</figcaption>
      </figure>
      <Say text="tranque3" rules={[18]} />
    </>
  );
}

export function Multiplier() {
  return (
    <>
      <Say text="dobra1" rules={[19]} />
      <ol class="times">
        {[1, 2, 3, 1].map((times, i) => (
          <li key={`${i}`}>
            <b class="stamped">×{times}</b>
            {i < 3 && <span>{r(i < 2 ? "dobraTie" : "dobraWin")} →</span>}
          </li>
        ))}
      </ol>
      <Say text="dobra2" />
    </>
  );
}

export function Match() {
  return (
    <>
      <Say text="partida1" rules={[26]} />
      <Say text="partida2" rules={[27]} />
      <Say text="partida3" rules={[28]} />
      <ul class="results">
        <li>
          <Score us={6} them={0} />
          <b>{r("capBuchuda")}</b>
        </li>
        <li>
          <Score us={0} them={5} />
          <span>{r("capThen")}</span>
          <Score us={6} them={5} />
          <b>{r("capDeRe")}</b>
        </li>
      </ul>
      <Say text="partida4" rules={[29]} />
    </>
  );
}

function Score({ us, them }: { readonly us: number; readonly them: number }) {
  return (
    <span class="score" role="img" aria-label={t("matchScore", { us, them })}>
      <span class="us">
        <b>{us}</b>
      </span>
      <span class="them">
        <b>{them}</b>
      </span>
    </span>
  );
}
