import type { Evidence, Violation } from "./evidence.ts";

/** Checks that no process ends unless it is killed: a crash would pass for one of the kills. */
export function checkProcesses({ crashes }: Evidence): Violation[] {
  return crashes.map((name) => ({
    what: `${name} ended by itself: see the end of its log`,
    rows: [],
  }));
}
