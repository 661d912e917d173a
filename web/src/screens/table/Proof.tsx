// Whether a hand was dealt as promised: a tick after the hand, and all that it rests on behind it.

import { useEffect, useState } from "preact/hooks";
import { isFair, prove, type Proof } from "../../game/deal";
import { t, type Key } from "../../i18n";
import type { Added, HandEnd } from "../../net/protocol.gen";
import { tileKey } from "../../game/tiles";
import { ownAdded } from "../../state/bytes";
import { nameOrYou } from "../../state/names";
import type { TableState } from "../../state/table";
import { Sheet } from "../../ui/Sheet";
import { TilePicture } from "../../ui/TileFace";
import { SEATS } from "./Chairs";

interface Props {
  readonly state: TableState;
  readonly end: HandEnd;
}

export function Fairness({ state, end }: Props) {
  const { commitment, chain, added } = state.view;
  const [opened, setOpened] = useState(false);
  const [proof, setProof] = useState<Proof | null>(null);
  // After the picture, which has kept the room for what is found.
  useEffect(() => {
    if (commitment !== undefined) setProof(prove({ commitment, added, end, chain, own: ownAdded(state) }));
  }, [commitment]);
  if (commitment === undefined) return null;
  const fair = proof === null || isFair(proof);
  return (
    <>
      <button
        type="button"
        class={`plain ${fair ? "fair" : "unfair"}`}
        data-testid="fair"
        data-fair={proof === null ? undefined : fair}
        style={{ visibility: proof === null ? "hidden" : "" }}
        onClick={() => setOpened(true)}
      >
        <span>{t(fair ? "endFair" : "endUnfair")}</span> <u>{t("proofOpen")}</u>
      </button>
      {opened && proof !== null && <ProofSheet state={state} end={end} proof={proof} onClose={() => setOpened(false)} />}
    </>
  );
}

const CHECKS = [
  ["seed", "proofCheckSeed"],
  ["added", "proofCheckAdded"],
  ["tiles", "proofCheckTiles"],
] as const;

function ProofSheet({ state, end, proof, onClose }: Props & { readonly proof: Proof; onClose(): void }) {
  return (
    <Sheet title={t("proofTitle")} testid="proof-sheet" onClose={onClose}>
      <p>{t("proofWhy")}</p>
      <ul class="checks">
        {CHECKS.map(([what, key]) => (
          <li key={what} class={proof[what] ? "holds" : "fails"} data-testid={`check-${what}`}>
            {t(key)} <b>{t(proof[what] ? "proofHolds" : "proofFails")}</b>
          </li>
        ))}
      </ul>
      <Figure title="proofPromise" text={state.view.commitment ?? ""} testid="proof-promise" />
      <Figure title="proofSeed" text={end.seed} testid="proof-seed" />
      <AddedList state={state} added={end.added ?? []} />
      <Dealt state={state} proof={proof} />
    </Sheet>
  );
}

interface FigureProps {
  readonly title: Key;
  readonly text: string;
  readonly testid: string;
}

function Figure({ title, text, testid }: FigureProps) {
  return (
    <section class="figure">
      <h2>{t(title)}</h2>
      <code data-testid={testid}>{text}</code>
    </section>
  );
}

function AddedList({ state, added }: { readonly state: TableState; readonly added: readonly Added[] }) {
  const own = ownAdded(state);
  const there = added.some(({ seat, bytes }) => seat === own?.seat && bytes === own.bytes);
  return (
    <section class="figure" data-testid="proof-added">
      <h2>{t("proofAdded")}</h2>
      {added.length === 0 && <p class="quiet">{t("proofNone")}</p>}
      {added.map(({ seat, bytes }) => (
        <p key={seat}>
          <b>{nameOrYou(state, seat)}</b> <code>{bytes}</code>
        </p>
      ))}
      {own !== undefined && (
        <p data-testid="proof-own" data-in={there}>
          <b>{t(there ? "proofOwnIn" : "proofOwnOut")}</b>
        </p>
      )}
    </section>
  );
}

/** Six tiles a seat; the last four are not shown (R2). */
function Dealt({ state, proof }: { readonly state: TableState; readonly proof: Proof }) {
  return (
    <section class="figure">
      <h2>{t("proofOrder")}</h2>
      <ol class="dealt" data-testid="proof-order">
        {SEATS.map((seat) => (
          <li key={seat}>
            <b>{nameOrYou(state, seat)}</b>
            <span class="tiles">
              {proof.dealt.slice(6 * seat, 6 * seat + 6).map(([a, b]) => (
                <TilePicture key={tileKey([a, b])} a={a} b={b} />
              ))}
            </span>
          </li>
        ))}
      </ol>
      <p class="quiet">{t("proofSleep")}</p>
    </section>
  );
}

/** What the server has bound itself to, for who wants to write it down before the hand is over. */
export function Promised({ state }: { readonly state: TableState }) {
  const { commitment, next_commitment: next } = state.view;
  const promised = next ?? commitment;
  if (promised === undefined) return null;
  return (
    <section class="figure promise">
      <h2>{t(next === undefined ? "promiseNow" : "promiseNext")}</h2>
      <code data-testid="promise">{promised}</code>
    </section>
  );
}
