// Matches of a bracket by their names (R37, R38).

export type Side = "W" | "L" | "F";

/** A match by its name: W2-1 is the first match of the second round on the winners' side. */
export interface MatchName {
  readonly side: Side;
  readonly round: number;
  readonly number: number;
}

const NAME = /^([WL])(\d)-(\d+)$|^F([12])$/;

export function nameIn(id: string): MatchName {
  const found = NAME.exec(id);
  if (found === null) throw new Error(`${id} is no match of a bracket`);
  const [, side, round, number, final] = found;
  if (final !== undefined) return { side: "F", round: Number(final), number: 1 };
  return { side: side as Side, round: Number(round), number: Number(number) };
}

/** The round that a match is of: W2, L3, F. */
export function roundOf(id: string): string {
  const { side, round } = nameIn(id);
  return side === "F" ? "F" : `${side}${round}`;
}
