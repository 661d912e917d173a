// Weeks begin on Monday in Recife (R43), which is three hours behind UTC all year.

const DAY = 86_400_000;
const BEHIND = 3 * 3_600_000;
/** 1970 began on a Thursday. */
const FIRST_MONDAY = 4;

/** The Mondays of the newest weeks, this one first, as 2026-11-30. */
export function lastWeeks(now: number, count: number): readonly string[] {
  const day = Math.floor((now - BEHIND) / DAY);
  const monday = day - ((((day - FIRST_MONDAY) % 7) + 7) % 7);
  return Array.from({ length: count }, (_, i) => new Date((monday - 7 * i) * DAY).toISOString().slice(0, 10));
}
