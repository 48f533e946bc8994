import type { Evidence, Violation } from "./evidence.ts";

/** I16: keys, webhook secrets, prompts and links are in no log and not in the engine's files. */
export function checkSecrets({ leaks }: Evidence): Violation[] {
  return leaks.map((leak) => ({ what: `${leak.secret} in ${leak.file}`, rows: [] }));
}
