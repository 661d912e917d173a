// Whether the draw was what the house had bound itself to: a tick, and all that it rests on.

import { useMemo } from "preact/hooks";
import { isKept, proveDraw, type DrawProof } from "../../game/draw";
import { t, type Key } from "../../i18n";
import type { Bracket } from "../../net/protocol.gen";
import { animalIds } from "../../state/animals";
import { firstPromise } from "../../state/promises";

const CHECKS = [
  ["seed", "proofCheckSeed"],
  ["teams", "drawCheckTeams"],
  ["animals", "drawCheckAnimals"],
  ["tables", "drawCheckTables"],
] as const satisfies readonly (readonly [keyof DrawProof, Key])[];

export function Draw({ bracket }: { readonly bracket: Bracket }) {
  const ids = animalIds();
  const revealed = bracket.seed !== undefined && bracket.seed !== "";
  const proof = useMemo(() => {
    if (!revealed || ids === null) return null;
    return proveDraw(bracket, firstPromise(bracket.id, bracket.commitment), ids);
  }, [revealed, ids === null, bracket.version]);
  return (
    <section class="draw" aria-labelledby="draw-title">
      <h2 id="draw-title">{t("drawTitle")}</h2>
      {proof === null ? <Promise bracket={bracket} /> : <Proof bracket={bracket} proof={proof} />}
    </section>
  );
}

function Promise({ bracket }: { readonly bracket: Bracket }) {
  return (
    <>
      <p class="quiet">{t("drawLater")}</p>
      <p class="figure">
        <code data-testid="draw-promise">{bracket.commitment}</code>
      </p>
    </>
  );
}

function Proof({ bracket, proof }: { readonly bracket: Bracket; readonly proof: DrawProof }) {
  const kept = isKept(proof);
  return (
    <details class={kept ? "kept" : "broken"} open={!kept}>
      <summary data-testid="draw" data-kept={kept}>
        {t(kept ? "drawFair" : "drawUnfair")}
      </summary>
      <p>{t("drawWhy")}</p>
      <ul class="checks">
        {CHECKS.map(([what, key]) => (
          <li key={what} class={proof[what] ? "holds" : "fails"} data-testid={`draw-${what}`}>
            {t(key)} <b>{t(proof[what] ? "proofHolds" : "proofFails")}</b>
          </li>
        ))}
      </ul>
      <Figure title="proofPromise" text={bracket.commitment} />
      <Figure title="proofSeed" text={bracket.seed ?? ""} />
      <Figure title="drawList" text={(bracket.players ?? []).join(" ")} />
    </details>
  );
}

function Figure({ title, text }: { readonly title: Key; readonly text: string }) {
  return (
    <div class="figure">
      <h3>{t(title)}</h3>
      <code>{text}</code>
    </div>
  );
}
