import type { Settings } from "./settings.ts";

/**
 * Returns the maximum time of a task. The sandbox is done in seconds on an idle machine, in minutes
 * on a busy one.
 */
export function taskMsMaxOf({ hasSandbox }: Settings): number {
  return hasSandbox ? 540_000 : 20 * 60_000;
}

export function pollMsOf({ hasSandbox }: Settings): number {
  return hasSandbox ? 100 : 2_000;
}
