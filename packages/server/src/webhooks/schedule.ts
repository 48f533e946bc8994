/** The wait before each attempt, counted from the failure before it. */
const delaysMs = [0, 1_000, 5_000, 30_000] as const;
/** For accounts with a tail: doubled each time, for this many hours after the event. */
const tailFirstMs = 60_000;
export const tailHoursMax = 72;

export const attemptsUsual = delaysMs.length;
export const attemptMsUsual = 15_000;

/** The delay after this many failed attempts of a round, or null after the last. */
export function delayAfter(
  attempts: number,
  tail: { hours: number; ageMs: number },
): number | null {
  const usual = delaysMs[attempts];
  if (usual !== undefined) return usual;
  const delayMs = tailFirstMs * 2 ** (attempts - attemptsUsual);
  return tail.ageMs + delayMs <= tail.hours * 3_600_000 ? delayMs : null;
}
