import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { childEnv } from "@zoetrope/dev/services/command-line.ts";
import { copyServer } from "../../kit/copy-server.ts";
import type { Deployment } from "./deployment.ts";
import { freeze } from "./freeze.ts";

const run = promisify(execFile);

export interface Fault {
  name: string;
  inject(): Promise<void>;
}

/** Each part is unavailable for a while: half of the time it hangs, half of the time it is stopped. */
export function faultsOf(deployment: Deployment, dir: string, awayMs: number): Fault[] {
  const { stack, s3, workers, apis } = deployment;
  const [, worker] = workers;
  const gateway = () => s3.pids.at(-1) ?? 0;
  return [
    { name: "storage away", inject: () => away(gateway, s3, awayMs) },
    { name: "engine away", inject: () => away(() => stack.restate.pid, stack.restate, awayMs) },
    { name: "database away", inject: () => away(() => stack.postgres.pid, stack.postgres, awayMs) },
    { name: "one worker away", inject: () => workerAway(worker, awayMs) },
    { name: "a column and an index are added", inject: () => migrate(deployment, dir) },
    {
      name: "rolling restart",
      async inject() {
        for (const part of [...apis, ...workers]) await part.restart();
      },
    },
  ];
}

async function away(
  pidOf: () => number,
  part: { kill(): Promise<void>; restart(): Promise<void> },
  awayMs: number,
): Promise<void> {
  const frozen = await freeze(pidOf());
  await pause(awayMs / 2);
  const killed = part.kill();
  frozen.thaw(); // what a killed database server leaves behind ends only when it runs
  await killed;
  await pause(awayMs / 2);
  await part.restart();
}

/** It hangs, then it is drained. `fast` covers crashes. */
async function workerAway(worker: Deployment["workers"][number] | undefined, awayMs: number) {
  if (worker === undefined) throw new Error("no second worker");
  const frozen = await freeze(worker.pid);
  await pause(awayMs / 2);
  frozen.thaw();
  await worker.stop();
  await pause(awayMs / 2);
  await worker.restart();
}

const migration = `alter table tasks add column outage_note text;
alter table open_tasks add column outage_note text;
create index open_tasks_outage_note on open_tasks (outage_note);
`;

/** A release with one more migration: the command that an operator runs, from a copy of the server. */
async function migrate({ stack }: Deployment, dir: string): Promise<void> {
  const copy = join(dir, "next-release");
  await copyServer(copy);
  await writeFile(join(copy, "migrations", "9999-outage-note.sql"), migration);
  await run(process.execPath, [join(copy, "src/operator/main.ts"), "migrate"], {
    env: childEnv({
      DATABASE_OWNER_URL: stack.databaseOwnerUrl,
      DATABASE_URL: stack.databaseUrl,
    }),
  });
}
