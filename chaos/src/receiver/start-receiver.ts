import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@zoetrope/dev/services/ports.ts";
import { printsLine, type RunningProcess, startProcess } from "@zoetrope/dev/services/process.ts";

export interface Receiver extends RunningProcess {
  readonly url: string;
  readonly requestLog: string;
}

export async function startReceiver(dir: string): Promise<Receiver> {
  const port = await freePort();
  const requestLog = join(dir, "receiver.jsonl");
  const running = await startProcess({
    name: "receiver",
    command: process.execPath,
    args: [fileURLToPath(new URL("main.ts", import.meta.url)), String(port), requestLog],
    logFile: join(dir, "logs", "receiver.log"),
    isReady: printsLine(/receiver\.listening/),
  });
  return Object.assign(running, { url: `http://127.0.0.1:${port}`, requestLog });
}
