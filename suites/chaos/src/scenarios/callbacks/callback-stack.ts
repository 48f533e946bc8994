import { join } from "node:path";
import { prepareDatabase } from "@zoetrope/dev/prepare-database.ts";
import { sandboxVendors } from "@zoetrope/dev/sandbox-vendors.ts";
import { databaseOnlySettings } from "@zoetrope/dev/server-settings.ts";
import { freePort } from "@zoetrope/dev/services/ports.ts";
import { startPostgres } from "@zoetrope/dev/services/postgres.ts";
import type { RunningProcess } from "@zoetrope/dev/services/process.ts";
import { startServer } from "@zoetrope/dev/start-server.ts";

const workerCount = 2;
/** The end of a task that is committed from outside signals no worker: the next poll of the table finds it. */
const pollTableMs = 100;

/**
 * The stack that callbacks need and no more: PostgreSQL, one api, two workers. Nothing listens at
 * the engine's address.
 */
export interface CallbackStack extends AsyncDisposable {
  readonly apiUrl: string;
  readonly databaseOwnerUrl: string;
  readonly workers: readonly RunningProcess[];
  readonly parts: readonly RunningProcess[];
}

export async function startCallbackStack(dir: string, speed: number): Promise<CallbackStack> {
  await using started = new AsyncDisposableStack();
  const postgres = started.use(
    await startPostgres({
      dir: join(dir, "postgres"),
      settings: {
        track_commit_timestamp: "on",
        shared_buffers: "256MB",
        max_wal_size: "2GB",
        // Log lines that explain a failure: what was slow, and whether it waited for somebody.
        log_min_duration_statement: 1_000,
        log_lock_waits: "on",
      },
    }),
  );
  const { owner, service } = await prepareDatabase(postgres, "zoetrope");
  const env = {
    ...(await databaseOnlySettings(dir, service)),
    VENDORS: sandboxVendors(`http://127.0.0.1:${await freePort()}`),
    REDELIVERIES_PER_MINUTE_MAX: "1000000",
    DELIVERY_SPEED: String(speed),
    DELIVERY_INTERVAL_MS: String(pollTableMs),
  };
  const apiUrl = env.PUBLIC_URL;
  const api = started.use(await startServer({ role: "api", env, dir }));
  const workers: RunningProcess[] = [];
  for (let number = 1; number <= workerCount; number += 1) {
    const name = `worker-${number}`;
    const own = { WORKER_PORT: String(await freePort()), WORK_DIR: join(dir, "work", name) };
    const options = { role: "worker", name, env: { ...env, ...own }, dir } as const;
    workers.push(started.use(await startServer(options)));
  }
  const everything = started.move();
  return {
    apiUrl,
    databaseOwnerUrl: owner,
    workers,
    parts: [postgres, api, ...workers],
    [Symbol.asyncDispose]: () => everything.disposeAsync(),
  };
}
