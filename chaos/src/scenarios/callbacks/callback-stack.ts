import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sandboxVendors } from "@zoetrope/testkit/sandbox-vendors.ts";
import { freePort } from "@zoetrope/testkit/services/ports.ts";
import { startPostgres } from "@zoetrope/testkit/services/postgres.ts";
import {
  answersHttp,
  printsLine,
  type ReadyProbe,
  type RunningProcess,
  startProcess,
} from "@zoetrope/testkit/services/process.ts";
import { prepareDatabase } from "@zoetrope/testkit/stack.ts";
import { Client } from "pg";

const serverMain = fileURLToPath(
  new URL("../../../../packages/server/src/main.ts", import.meta.url),
);
const workerCount = 2;
/** An end that is committed from outside rings no worker's bell: it is found at the next look. */
const lookEveryMs = 100;

/** What callbacks need and no more: PostgreSQL, one api, two workers. Nobody is where the engine should be. */
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
        ...{ track_commit_timestamp: "on", shared_buffers: "256MB", max_wal_size: "2GB" },
        // For whoever reads a failure: what was slow, and whether it waited for somebody.
        ...{ log_min_duration_statement: 1_000, log_lock_waits: "on" },
      },
    }),
  );
  const { owner, service } = await prepareDatabase(postgres, "zoetrope");
  const apiUrl = `http://127.0.0.1:${await freePort()}`;
  const env = {
    DATABASE_URL: service,
    API_PORT: new URL(apiUrl).port,
    PUBLIC_URL: apiUrl,
    RESTATE_INGRESS_URL: `http://127.0.0.1:${await freePort()}`,
    STORAGE_DIR: join(dir, "media"),
    VENDORS: sandboxVendors(`http://127.0.0.1:${await freePort()}`),
    VENDOR_CALLBACK_SECRET: randomBytes(32).toString("hex"),
    REQUESTS_PER_MINUTE_MAX: "1000000",
    REDELIVERIES_PER_MINUTE_MAX: "1000000",
    ALLOW_LOOPBACK: "true",
    DELIVERY_SPEED: String(speed),
    DELIVERY_INTERVAL_MS: String(lookEveryMs),
    HEALTH_PORT: "0", // two workers on one machine
    DRAIN_NOTICE_MS: "0",
  };
  await mkdir(join(dir, "logs"), { recursive: true });
  const startRole = async (role: "api" | "worker", name: string, isReady: ReadyProbe) =>
    startProcess({
      name,
      command: process.execPath,
      args: [serverMain, role],
      env: { ...env, WORKER_PORT: String(await freePort()), WORK_DIR: join(dir, "work", name) },
      logFile: join(dir, "logs", `${name}.log`),
      isReady,
      stopGraceMs: 30_000,
    });
  const api = started.use(await startRole("api", "api", answersHttp(`${apiUrl}/health`)));
  const workers: RunningProcess[] = [];
  for (let number = 1; number <= workerCount; number += 1) {
    const isReady = printsLine(/"event":"process\.started"/);
    workers.push(started.use(await startRole("worker", `worker-${number}`, isReady)));
  }
  const everything = started.move();
  return {
    ...{ apiUrl, databaseOwnerUrl: owner, workers, parts: [postgres, api, ...workers] },
    [Symbol.asyncDispose]: () => everything.disposeAsync(),
  };
}

export async function withOwner<Result>(
  stack: CallbackStack,
  work: (db: Client) => Promise<Result>,
): Promise<Result> {
  const db = new Client({ connectionString: stack.databaseOwnerUrl });
  await db.connect();
  try {
    return await work(db);
  } finally {
    await db.end();
  }
}
