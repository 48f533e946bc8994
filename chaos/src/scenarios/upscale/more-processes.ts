import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@zoetrope/testkit/services/ports.ts";
import {
  answersHttp,
  printsLine,
  type RunningProcess,
  startProcess,
} from "@zoetrope/testkit/services/process.ts";
import type { Stack } from "@zoetrope/testkit/stack.ts";

const serverMain = fileURLToPath(
  new URL("../../../../packages/server/src/main.ts", import.meta.url),
);

/** A second worker that the engine does not know: it pulls segments, and runs the loops over rows. */
export async function startSecondWorker(
  stack: Stack,
  dir: string,
): Promise<RunningProcess & { workDir: string }> {
  const workDir = join(dir, "work-2");
  const { RESTATE_ADMIN_URL: _admin, WORKER_URL: _url, ...env } = stack.serverEnv;
  const worker = await startProcess({
    ...{ name: "second worker", command: process.execPath, args: [serverMain, "worker"] },
    env: { ...env, WORKER_PORT: String(await freePort()), WORK_DIR: workDir },
    logFile: join(dir, "logs", "worker-2.log"),
    isReady: printsLine(/"event":"process\.started"/),
    stopGraceMs: 30_000,
  });
  return Object.assign(worker, { workDir });
}

/** An api whose upscales may only get so old. */
export async function startImpatientApi(stack: Stack, dir: string, ageMsMax: number) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const api = await startProcess({
    ...{ name: "impatient api", command: process.execPath, args: [serverMain, "api"] },
    env: {
      ...stack.serverEnv,
      API_PORT: String(port),
      UPSCALE_AGE_MAX_MS: String(Math.round(ageMsMax)),
    },
    logFile: join(dir, "logs", "api-2.log"),
    isReady: answersHttp(`${url}/health`),
  });
  return Object.assign(api, { url });
}
