import { z } from "zod";

/** The schema of a job id. Values from a vendor that are stored must be printable and bounded. */
export const jobId = z.string().regex(/^[\x21-\x7e]{1,200}$/);

export function isLink(text: string | null | undefined): text is string {
  return typeof text === "string" && /^https?:\/\/[\x21-\x7e]{1,8000}$/.test(text);
}

/** A time in milliseconds since 1970, unless it makes no sense. */
export function timeOr<Other>(ms: number, other: Other): Date | Other {
  const time = new Date(ms);
  return Number.isNaN(time.getTime()) ? other : time;
}
