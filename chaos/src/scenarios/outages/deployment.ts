import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@zoetrope/testkit/services/ports.ts";
import {
  answersHttp,
  printsLine,
  type RunningProcess,
  startProcess,
} from "@zoetrope/testkit/services/process.ts";
import { type S3, startS3 } from "@zoetrope/testkit/services/s3.ts";
import { type Stack, startStack } from "@zoetrope/testkit/stack.ts";

const serverMain = fileURLToPath(
  new URL("../../../../packages/server/src/main.ts", import.meta.url),
);
const bucket = "outages";
const stopGraceMs = 400_000; // longer than a worker may drain

/** A deployment with two processes of each role and storage on S3. */
export interface Deployment extends AsyncDisposable {
  readonly stack: Stack;
  readonly s3: S3;
  readonly apis: readonly RunningProcess[];
  readonly apiUrls: readonly string[];
  readonly workers: readonly RunningProcess[];
}

export async function startDeployment(
  dir: string,
  options: { serverEnv: Record<string, string>; sandboxEnv: Record<string, string> },
): Promise<Deployment> {
  await using started = new AsyncDisposableStack();
  const s3 = started.use(await startS3({ dir: join(dir, "s3") }));
  await s3.createBucket(bucket);
  const stack = started.use(
    await startStack({
      dir,
      sandboxEnv: options.sandboxEnv,
      serverEnv: {
        ...options.serverEnv,
        S3_ENDPOINT: s3.endpoint,
        S3_BUCKET: bucket,
        S3_REGION: s3.region,
        S3_ACCESS_KEY_ID: s3.accessKeyId,
        S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
      },
    }),
  );
  const apiPort = await freePort();
  const secondUrl = `http://127.0.0.1:${apiPort}`;
  const { STORAGE_DIR: _disk, ...serverEnv } = stack.serverEnv;
  const api = started.use(
    await startProcess({
      ...{ name: "api-2", command: process.execPath, args: [serverMain, "api"] },
      env: { ...serverEnv, API_PORT: String(apiPort) },
      logFile: join(dir, "logs", "api-2.log"),
      isReady: answersHttp(`${secondUrl}/health`),
      stopGraceMs,
    }),
  );
  const workerPort = String(await freePort());
  const worker = started.use(
    await startProcess({
      ...{ name: "worker-2", command: process.execPath, args: [serverMain, "worker"] },
      env: {
        ...serverEnv,
        WORKER_PORT: workerPort,
        WORKER_URL: `http://127.0.0.1:${workerPort}`,
        WORK_DIR: join(dir, "work-2"),
      },
      logFile: join(dir, "logs", "worker-2.log"),
      isReady: printsLine(/"event":"worker\.registered"/),
      stopGraceMs,
    }),
  );
  const everything = started.move();
  return {
    ...{ stack, s3, apis: [stack.api, api], workers: [stack.worker, worker] },
    apiUrls: [stack.apiUrl, secondUrl],
    [Symbol.asyncDispose]: () => everything.disposeAsync(),
  };
}
