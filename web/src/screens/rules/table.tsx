// From the deal to the calls: R1-R13 and R30.

import { numberName, phrase } from "../../game/calls";
import { currentLang } from "../../i18n";
import type { Call } from "../../net/protocol.gen";
import type { ComponentChildren } from "preact";
import { CALLS, FITS, HAND, LAST, NOTHING_FITS } from "./examples";
import { Strong } from "../../ui/Strong";
import { Say } from "./Parts";
import { Figure, Held, Laid, NumberPicture, Sleeping } from "./Picture";
import { r } from "./words";
import type { RuleKey } from "./words/pt";

export function InShort() {
  return (
    <ol class="in-short">
      {(["short1", "short2", "short3", "short4"] as const).map((key, i) => (
        <li key={key}>
          <span class="stamped" aria-hidden="true">
            {i + 1}
          </span>
          <span>
            <Strong text={r(key)} />
          </span>
        </li>
      ))}
    </ol>
  );
}

const SEATS = ["seatYou", "seatNext", "seatPartner", "seatBefore"] as const;

export function Table() {
  return (
    <>
      <Say text="mesa1" rules={[1]} />
      <figure class="rule-figure">
        <div class="square" aria-hidden="true">
          <svg viewBox="-50 -50 100 100">
            <rect x="-22" y="-22" width="44" height="44" rx="5" />
            {[0, 90, 180, 270].map((turn) => (
              <path key={turn} d="M-32 12Q-32 32 -12 32M-37 19L-32 11.500L-26 18" transform={`rotate(${turn})`} />
            ))}
          </svg>
          {SEATS.map((seat, i) => (
            <span key={seat} class={`place place-${i} ${i % 2 ? "them" : "us"}`}>
              {r(seat)}
            </span>
          ))}
        </div>
        <figcaption>{r("capSeats")}</figcaption>
      </figure>
      <Say text="mesa2" rules={[2]} />
      <Figure caption={r("capDeal")}>
        <Held tiles={HAND} />
        <Sleeping />
      </Figure>
      <Say text="mesa3" rules={[3]} />
    </>
  );
}

export function Opening() {
  return (
    <>
      <Say text="saida1" rules={[4]} />
      <Figure caption={r("capOpening")}>
        <Held tiles={HAND} bright={[[6, 6]]} />
      </Figure>
      <Say text="saida2" rules={[5]} />
      <Say text="saida3" rules={[6]} />
    </>
  );
}

export function Fitting() {
  const { chain, tile, both } = FITS;
  return (
    <>
      <Say text="encaixe1" rules={[7]} />
      <Figure caption={r("capFits")}>
        <Laid chain={chain} ghosts={[{ end: "right", tile }]} />
      </Figure>
      <Say text="encaixe2" rules={[8]} />
      <Figure caption={r("capBoth")}>
        <Laid
          chain={chain}
          ghosts={[
            { end: "left", tile: both },
            { end: "right", tile: both },
          ]}
        />
      </Figure>
      <Say text="encaixe3" rules={[9]} />
      <Say text="encaixe4" rules={[11]} />
    </>
  );
}

export function Passing() {
  return (
    <>
      <Say text="passar1" rules={[9]} />
      <Figure caption={r("capPass")}>
        <Laid chain={NOTHING_FITS.chain} />
        <Held tiles={NOTHING_FITS.hand} bright={[]} />
      </Figure>
      <Say text="passar2" rules={[10, 12]} />
      <Say text="passar3" rules={[13]} />
    </>
  );
}

const NUMBERS = [0, 1, 2, 3, 4, 5, 6];

export function Calls() {
  const lang = currentLang();
  return (
    <>
      <Say text="falas1" rules={[30]} />
      <figure class="rule-figure">
        <ul class="numbers">
          {NUMBERS.map((number) => (
            <li key={number}>
              <NumberPicture number={number} />
              <b>{numberName(lang, number)}</b>
            </li>
          ))}
        </ul>
        <figcaption>{r("capNumbers")}</figcaption>
      </figure>
      <ul class="calls">
        {(["opening", "double", "end", "all"] as const).map((kind) => {
          const { chain, ...said } = CALLS[kind];
          return (
            <Called key={kind} call={{ kind, ...said }} text={CALL_TEXTS[kind]}>
              <Laid chain={chain} fresh={chain.length > 1} />
            </Called>
          );
        })}
        <Called call={{ kind: "la_e_lo" }} text="callLast">
          <Laid chain={LAST.la_e_lo} fresh />
        </Called>
        <Called call={{ kind: "pass" }} text="callPass" />
        <Called call={{ kind: "blocked" }} text="callBlocked" />
      </ul>
    </>
  );
}

const CALL_TEXTS = {
  opening: "callOpening",
  double: "callDouble",
  end: "callEnd",
  all: "callAll",
} as const;

interface CalledProps {
  readonly call: Call;
  readonly text: RuleKey;
  readonly children?: ComponentChildren;
}

function Called({ call, text, children }: CalledProps) {
  return (
    <li>
      <span class="call-picture">{children}</span>
      <q>{phrase(currentLang(), call)}</q>
      <span>{r(text)}</span>
    </li>
  );
}
