import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@zoetrope/dev/services/ports.ts";
import { printsLine, type RunningProcess, startProcess } from "@zoetrope/dev/services/process.ts";

export interface Receiver extends RunningProcess {
  /** The first of them. */
  readonly url: string;
  /** One for each of its ports. */
  readonly urls: readonly string[];
  readonly requestLog: string;
}

/** Starts one process on as many ports as given: for a sender each is a separate host. */
export async function startReceiver(
  dir: string,
  { name = "receiver", portCount = 1 }: { name?: string; portCount?: number } = {},
): Promise<Receiver> {
  const ports = await Promise.all(Array.from({ length: portCount }, () => freePort()));
  const requestLog = join(dir, `${name}.jsonl`);
  const running = await startProcess({
    name,
    command: process.execPath,
    args: [fileURLToPath(new URL("main.ts", import.meta.url)), requestLog, ...ports.map(String)],
    logFile: join(dir, "logs", `${name}.log`),
    isReady: printsLine(/receiver\.listening/),
  });
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  return Object.assign(running, { url: urls[0] ?? "", urls, requestLog });
}
