import { ZoetropeError } from "./errors.ts";
import type { Call, CallOptions, Signalled } from "./transport.ts";

/** The names of options: all of them, or it does not compile. */
export type Names<Options> = Readonly<Record<keyof Options, true>>;

const signalled: Names<Signalled> = { signal: true };
const call: Names<CallOptions> = { ...signalled, timeoutMs: true };

/** The options that calls share. Those of one call are beside their type. */
export const known = {
  signalled,
  call,
  request: {
    ...call,
    method: true,
    path: true,
    query: true,
    body: true,
    headers: true,
    idempotencyKey: true,
    isRead: true,
    isStream: true,
    retriesMax: true,
  } satisfies Names<Call>,
} as const;

/**
 * Refuses an option that the call does not have: a limit that is misspelt must not be ignored. Members of
 * request bodies are not checked here: they are sent, and the service names what it does not take.
 */
export function requireKnown<Options extends object>(
  options: Options,
  known: Readonly<Record<string, true>>,
): Options {
  if (typeof options !== "object" || options === null)
    throw new ZoetropeError("The options of a call are an object.", { code: "unknown_option" });
  for (const [name, value] of Object.entries(options)) {
    if (Object.hasOwn(known, name) || value === undefined) continue;
    const names = Object.keys(known);
    const close = names.find((one) => isSimilar(one, name));
    const hint = close === undefined ? `Its options: ${names.join(", ")}.` : `Is it ${close}?`;
    const message = `${name} is not an option of this call. ${hint}`;
    throw new ZoetropeError(message, { code: "unknown_option" });
  }
  return options;
}

/**
 * Whether the names are equal except for case, `_` and `-`, one is the beginning of the other, or
 * they differ by at most two typing errors.
 */
function isSimilar(known: string, options: string): boolean {
  const [one, other] = [known, options].map((name) => name.toLowerCase().replace(/[_-]/g, "")) as [
    string,
    string,
  ];
  if (other.length > 2 && (one.startsWith(other) || other.startsWith(one))) return true;
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (const [to, typed] of [...other].entries())
      next.push(
        Math.min(
          (row[to] ?? 0) + (letter === typed ? 0 : 1),
          (row[to + 1] ?? 0) + 1,
          (next[to] ?? 0) + 1,
        ),
      );
    row = next;
  }
  return (row.at(-1) ?? 0) <= Math.min(2, one.length / 2);
}
