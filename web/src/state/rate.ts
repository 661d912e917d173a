// How often one may speak.

export const AT_ONCE = 3;
const WINDOW = 6_000;

/** Whether one more phrase is allowed now: as the table counts, three at once, then one in 2 s. */
export function allowed(spoken: readonly number[], now: number): boolean {
  return spoken.filter((at) => at > now - WINDOW).length < AT_ONCE;
}
