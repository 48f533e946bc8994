/** The day of a moment in the zone of the person, as a date field has it. */
export function dayOf(ms: number): string {
  const offsetMs = new Date(ms).getTimezoneOffset() * 60_000;
  return new Date(ms - offsetMs).toISOString().slice(0, 10);
}
