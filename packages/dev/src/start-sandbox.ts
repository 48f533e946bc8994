import { createRequire } from "node:module";
import { join } from "node:path";
import { freePort } from "./services/ports.ts";
import { printsLine, type RunningProcess, startProcess } from "./services/process.ts";

export const sandboxMain = createRequire(import.meta.url).resolve("@zoetrope/sandbox/main.ts");

export interface SandboxProcess {
  readonly process: RunningProcess;
  readonly url: string;
  /** Its own record of jobs and callbacks, one JSON object per line. */
  readonly journal: string;
}

/** The emulated vendors as a process of their own, which writes to `dir`. */
export async function startSandboxProcess(
  env: Readonly<Record<string, string>>,
  dir: string,
): Promise<SandboxProcess> {
  const port = env["SANDBOX_PORT"] ?? String(await freePort());
  const journal = join(dir, "logs", "sandbox-journal.jsonl");
  const running = await startProcess({
    name: "sandbox",
    command: process.execPath,
    args: [sandboxMain],
    env: {
      SANDBOX_PORT: port,
      SANDBOX_DIR: join(dir, "sandbox"),
      SANDBOX_LOG: journal,
      SANDBOX_DRAFT: "true",
      ...env,
    },
    logFile: join(dir, "logs", "sandbox.log"),
    isReady: printsLine(/sandbox\.listening/),
  });
  return { process: running, url: `http://127.0.0.1:${port}`, journal };
}
