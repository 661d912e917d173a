// Who is who at a table, as the viewer sees it.

import { t, type Key } from "../i18n";
import type { TableState } from "./table";

export const ANIMALS = [
  "caranguejo",
  "galo",
  "tartaruga",
  "bode",
  "coruja",
  "onca",
  "calango",
  "tubarao",
] as const;

export type Animal = (typeof ANIMALS)[number];

/** Four different animals for the four seats of a table, the same for everybody. */
export function animalOf(table: string, seat: number): Animal {
  const start = [...table].reduce((sum, char) => sum + (char.codePointAt(0) ?? 0), 0);
  return ANIMALS[(start + seat * 3) % ANIMALS.length] ?? "galo";
}

/** A person's nickname; a bot has its animal's. */
export function nameOf({ id, view }: TableState, seat: number): string {
  const who = view.seats[seat];
  if (who?.kind === "empty") return t("seatEmpty");
  if (who?.kind === "person" && who.name) return who.name;
  return t(`animal_${animalOf(id, seat)}` satisfies Key);
}

/** The same, but "you" for the viewer. */
export function nameOrYou(state: TableState, seat: number): string {
  return seat === state.view.me ? t("seatYou") : nameOf(state, seat);
}

/** The seat at the lower edge of the page; who only watches looks from seat 0. */
export function nearSeat(state: TableState): number {
  return state.view.me ?? 0;
}

/** The team that is shown in blue. */
export function ownTeam(state: TableState): number {
  return nearSeat(state) % 2;
}
