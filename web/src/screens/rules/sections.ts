// The sections in their order. Their names stand in addresses, so they stay as they are.

import type { ComponentType } from "preact";
import { Blocked, GoingOut, Match, Multiplier } from "./ends";
import { Championship, ClockRules, Friends, Points, WhoIsWho } from "./people";
import { Calls, Fitting, InShort, Opening, Passing, Table } from "./table";
import type { RuleKey } from "./words/pt";

type SectionId<K = RuleKey> = K extends `s_${infer Id}` ? Id : never;

export interface Section {
  readonly id: SectionId;
  readonly title: RuleKey;
  readonly Body: ComponentType;
}

const section = (id: SectionId, Body: ComponentType): Section => ({ id, title: `s_${id}`, Body });

export const SECTIONS: readonly Section[] = [
  section("resumo", InShort),
  section("mesa", Table),
  section("saida", Opening),
  section("encaixe", Fitting),
  section("passar", Passing),
  section("falas", Calls),
  section("batida", GoingOut),
  section("tranque", Blocked),
  section("dobra", Multiplier),
  section("partida", Match),
  section("amigos", Friends),
  section("relogio", ClockRules),
  section("campeonato", Championship),
  section("segredo", WhoIsWho),
  section("pontos", Points),
];

const RULE = /^r(\d{1,2})$/i;

/** What an address leads to: a section, or the paragraph that tells a rule (`r15`). */
export function selectorOf(name: string): string {
  const rule = RULE.exec(name)?.[1];
  return rule === undefined ? `#regras-${CSS.escape(name)}` : `[data-rules~="${Number(rule)}"]`;
}
