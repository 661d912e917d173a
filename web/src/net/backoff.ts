const STEPS = [300, 600, 1000, 2000, 4000, 8000];

/**
 * How long to wait before connecting again, in milliseconds: longer each time, and never the same
 * for all, so that a thousand clients that lost one gateway don't come back at once.
 */
export function backoff(attempt: number, random: number): number {
  const step = STEPS[Math.min(attempt, STEPS.length - 1)] ?? 0;
  return step * (0.5 + random);
}
