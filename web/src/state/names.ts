// Who is who at a table, as the viewer sees it.

import { t, type Key } from "../i18n";
import { animalName, animalTold } from "./animals";
import type { TableState } from "./table";

const ANIMALS = [
  "caranguejo",
  "galo",
  "tartaruga",
  "bode",
  "coruja",
  "onca",
  "calango",
  "tubarao",
] as const;

type Animal = (typeof ANIMALS)[number];

/** Four different animals for the four seats of a table, the same for everybody. */
function decoration(table: string, seat: number): Animal {
  const start = [...table].reduce((sum, char) => sum + (char.codePointAt(0) ?? 0), 0);
  return ANIMALS[(start + seat * 3) % ANIMALS.length] ?? "galo";
}

/** Who somebody is in a championship (R40); elsewhere the animal that adorns the seat. */
export function animalOf({ id, view }: TableState, seat: number): string {
  return view.seats[seat]?.animal || decoration(id, seat);
}

/** A person's nickname, or who they are in a championship; a bot has its animal's name. */
export function nameOf({ id, view }: TableState, seat: number): string {
  const who = view.seats[seat];
  if (who?.kind === "empty") return t("seatEmpty");
  if (who?.animal) return animalName(who.animal);
  if (who?.kind === "person" && who.name) return who.name;
  return t(`animal_${decoration(id, seat)}` satisfies Key);
}

/** The same, but "you" for the viewer. */
export function nameOrYou(state: TableState, seat: number): string {
  return seat === state.view.me ? t("seatYou") : nameOf(state, seat);
}

/** The name as it stands within a sentence: an animal has its article. */
export function toldName(state: TableState, seat: number): string {
  const animal = state.view.seats[seat]?.animal;
  return animal ? animalTold(animal) : nameOf(state, seat);
}

/** The same, but none for the viewer, to whom a sentence speaks with other words. */
export function toldUnlessYou(state: TableState, seat: number): string | null {
  return seat === state.view.me ? null : toldName(state, seat);
}

/** Whether this is a match of a championship: nobody is host here, and nobody has a name. */
export function isOfficial({ view }: TableState): boolean {
  return view.championship !== undefined && view.championship !== "";
}

/** The seat at the lower edge of the page; who only watches looks from seat 0. */
export function nearSeat(state: TableState): number {
  return state.view.me ?? 0;
}

/** The team that is shown in blue. */
export function ownTeam(state: TableState): number {
  return nearSeat(state) % 2;
}
