import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { join } from "node:path";
import { freePort } from "./services/ports.ts";
import { printsLine, type RunningProcess, startProcess } from "./services/process.ts";

export const sandboxMain = createRequire(import.meta.url).resolve("@zoetrope/sandbox/main.ts");

/** The address of the sandbox's own switches, and the token that they require. */
export interface SandboxControl {
  readonly url: string;
  readonly token: string;
}

export interface SandboxProcess {
  readonly process: RunningProcess;
  /** The address for the vendors' calls. */
  readonly url: string;
  readonly control: SandboxControl;
  /** The path of its journal of jobs and callbacks, one JSON object per line. */
  readonly journal: string;
}

/**
 * Starts the emulated vendors as a separate process, which writes to `dir`; every start has another
 * token.
 */
export async function startSandboxProcess(
  env: Readonly<Record<string, string>>,
  dir: string,
): Promise<SandboxProcess> {
  const port = env["SANDBOX_PORT"] ?? String(await freePort());
  const token = randomBytes(32).toString("base64url");
  const journal = join(dir, "logs", "sandbox-journal.jsonl");
  const running = await startProcess({
    name: "sandbox",
    command: process.execPath,
    args: [sandboxMain],
    env: {
      SANDBOX_PORT: port,
      SANDBOX_CONTROL_TOKEN: token,
      SANDBOX_DIR: join(dir, "sandbox"),
      SANDBOX_LOG: journal,
      SANDBOX_DRAFT: "true",
      ...env,
    },
    logFile: join(dir, "logs", "sandbox.log"),
    isReady: printsLine(/sandbox\.listening/),
  });
  const url = `http://127.0.0.1:${port}`;
  return { process: running, url, control: { url, token }, journal };
}
