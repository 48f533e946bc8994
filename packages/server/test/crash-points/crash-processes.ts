import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@zoetrope/dev/services/ports.ts";
import { type RunningProcess, startProcess } from "@zoetrope/dev/services/process.ts";
import { startServer } from "@zoetrope/dev/start-server.ts";
import type { TaskId } from "../../src/ids.ts";

const finishOnce = fileURLToPath(new URL("./finish-once.ts", import.meta.url));

/** An address without a listener: the engine is down and vendors cannot be reached. */
const nowhere = "http://127.0.0.1:9";

/** The time limit that only a hanging process reaches. */
const longMs = 600_000;

export interface Surroundings {
  /** Holds what the process writes. */
  dir: string;
  databaseUrl: string;
  engineUrl?: string;
}

export interface ApiProcess extends AsyncDisposable {
  url: string;
  kill(): Promise<void>;
}

export async function startApi(around: Surroundings): Promise<ApiProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { ...settings(around), API_PORT: String(port), PUBLIC_URL: url };
  const api = await startServer({ role: "api", dir: around.dir, env });
  return { url, kill: api.kill, [Symbol.asyncDispose]: api.stop };
}

/** A process that finishes one task. It counts as ready at once: what it does is seen in the rows. */
export function startFinish(
  around: Surroundings,
  taskId: TaskId,
  status: string,
): Promise<RunningProcess> {
  return startProcess({
    name: "finish",
    command: process.execPath,
    args: [finishOnce, taskId, status],
    env: { ...settings(around), PUBLIC_URL: nowhere },
    logFile: join(around.dir, "finish.log"),
    isReady: async () => true,
  });
}

/** The address for a process whose death the database notices while it works for it. */
export function withConnectionCheck(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set("options", "-c client_connection_check_interval=10");
  return url.href;
}

/** The address for a process that the database works for to the end, dead or slow as it may be. */
export function withoutTimeLimits(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set("options", "-c client_connection_check_interval=0");
  for (const limit of ["statement_timeout", "query_timeout"])
    url.searchParams.set(limit, String(longMs));
  return url.href;
}

function settings({ dir, databaseUrl, engineUrl = nowhere }: Surroundings) {
  return {
    DATABASE_URL: databaseUrl,
    RESTATE_INGRESS_URL: engineUrl,
    STORAGE_DIR: dir,
    VENDORS: "[]",
    VENDOR_CALLBACK_SECRET: "0123456789abcdef0123456789abcdef",
    ALLOW_LOOPBACK: "true",
  };
}
