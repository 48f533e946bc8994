import { join } from "node:path";
import type { RunningProcess } from "@zoetrope/dev/services/process.ts";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { s3Settings } from "@zoetrope/testkit/s3-settings.ts";
import { type S3, startS3 } from "@zoetrope/testkit/services/s3.ts";
import { startWorkerFront } from "@zoetrope/testkit/services/worker-front.ts";

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
  const front = started.use(await startWorkerFront({ dir: join(dir, "worker-front"), count: 2 }));
  const serverEnv = { ...options.serverEnv, ...s3Settings(s3, bucket), ...front.envOf(0) };
  const stack = started.use(
    await startStack({ dir, sandboxEnv: options.sandboxEnv, serverEnv, stopGraceMs }),
  );
  const second = { isRegistered: true, env: front.envOf(1) };
  const api = await stack.startServer({ ...second, role: "api", name: "api-2" });
  const worker = await stack.startServer({ ...second, role: "worker", name: "worker-2" });
  const everything = started.move();
  return {
    stack,
    s3,
    apis: [stack.api, api],
    workers: [stack.worker, worker],
    apiUrls: [stack.apiUrl, api.url],
    [Symbol.asyncDispose]: () => everything.disposeAsync(),
  };
}
