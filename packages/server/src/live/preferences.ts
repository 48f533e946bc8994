import { prefersType } from "../http/accepts.ts";

const waitSecondsMax = 60;

/**
 * The seconds of `Prefer: wait=N` (RFC 7240): the first one counts, more than a minute is a minute,
 * and what makes no sense is not there.
 */
export function readWait(prefer: string | undefined): number | null {
  for (const preference of (prefer ?? "").split(",")) {
    const [name = "", value = ""] = (preference.split(";")[0] ?? "").split("=");
    if (name.trim().toLowerCase() !== "wait") continue;
    const digits = /^(?:(\d+)|"(\d+)")$/.exec(value.trim());
    const seconds = Number(digits?.[1] ?? digits?.[2] ?? 0);
    return seconds > 0 ? Math.min(seconds, waitSecondsMax) : null;
  }
  return null;
}

/** Whether `Accept` names event streams and does not prefer JSON. */
export function wantsStream(accept: string | undefined): boolean {
  return prefersType(accept, "text/event-stream");
}

/** `Last-Event-ID` is the id of an event, which is an ETag, with or without its quotes. */
export function isLastSeen(lastEventId: string | undefined, version: string): boolean {
  return (
    lastEventId !== undefined && lastEventId.replaceAll('"', "") === version.replaceAll('"', "")
  );
}
