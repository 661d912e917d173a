// Matches, rounds, teams and places of a championship in words.

import { nameIn, roundOf } from "../game/match";
import { t, tn } from "../i18n";
import type { Team } from "../net/protocol.gen";
import { animalName, animalTold } from "../state/animals";

/** W2, L3 or F. */
export function roundName(round: string): string {
  const n = Number(round.slice(1));
  if (round === "F") return t("roundF");
  return t(round.startsWith("W") ? "roundW" : "roundL", { n });
}

export function matchName(id: string): string {
  if (id === "F1" || id === "F2") return t(`match${id}`);
  return t("matchName", { round: roundName(roundOf(id)), n: nameIn(id).number });
}

/** A team as a pair of names: those of its animals. */
export function teamName({ animals: [one, other] }: Team): string {
  return t("brTeam", { one: animalName(one), other: animalName(other) });
}

/** The same within a sentence. */
export function teamTold({ animals: [one, other] }: Team): string {
  return t("brTeam", { one: animalTold(one), other: animalTold(other) });
}

/** Who they were, once that may be known (R40). */
export function realNames({ names }: Team): readonly [string, string] | null {
  if (names === undefined) return null;
  const [one, other] = names.map((name) => name || t("brNoAccount"));
  return [one ?? "", other ?? ""];
}

export function placeName([from, to]: readonly [number, number]): string {
  return from === to ? t("brPlace", { n: from }) : t("brPlaces", { from, to });
}

export const pointsName = (points: number) => tn("endPoints", points);
