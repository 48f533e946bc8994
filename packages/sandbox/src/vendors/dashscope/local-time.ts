/** The vendor's times are Beijing's, without a zone. */
const offsetMs = 8 * 3_600_000;

/** `2026-01-01 08:00:00.000`. */
export function writeLocalTime(atMs: number): string {
  return new Date(atMs + offsetMs).toISOString().replace("T", " ").replace("Z", "");
}

/** Reads `20260101080000`; undefined when it is no such time. */
export function readLocalTime(text: string): number | undefined {
  const parts = text.match(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/);
  if (!parts) return undefined;
  const [, year, month, day, hour, minute, second] = parts;
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  const atMs = Date.parse(iso);
  // Date.parse takes the 31st of February for the 3rd of March
  if (Number.isNaN(atMs) || new Date(atMs).toISOString() !== iso) return undefined;
  return atMs - offsetMs;
}
