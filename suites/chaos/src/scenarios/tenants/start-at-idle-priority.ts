import { writeFile } from "node:fs/promises";
import {
  type ProcessSpec,
  type RunningProcess,
  startProcess,
} from "@zoetrope/dev/services/process.ts";

/**
 * Starts a Node process that runs only on idle processors: attackers and their vendors have
 * separate machines. Where Linux groups processes by session, as it does here, a process's priority
 * counts within its session alone, so the session's is lowered too.
 */
export async function startAtIdlePriority({
  program,
  args = [],
  ...spec
}: Omit<ProcessSpec, "command"> & { program: string }): Promise<RunningProcess> {
  const running = await startProcess({
    ...spec,
    command: "/usr/bin/chrt",
    args: ["--idle", "0", process.execPath, program, ...args],
  });
  await writeFile(`/proc/${running.pid}/autogroup`, "19").catch(() => {}); // not every kernel has it
  return running;
}
