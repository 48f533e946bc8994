import type { Settings } from "./settings.ts";

/** How long a task may take: the sandbox is done in seconds on an idle machine, a real vendor takes minutes. */
export function taskMsMaxOf({ hasSandbox }: Settings): number {
  return hasSandbox ? 180_000 : 20 * 60_000;
}

export function pollMsOf({ hasSandbox }: Settings): number {
  return hasSandbox ? 100 : 2_000;
}
