import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { BareRound } from "./bare-program.ts";

export interface Bare extends AsyncDisposable {
  readonly pid: number;
  /** Stores so many videos. */
  run(round: BareRound): Promise<void>;
}

export async function startBare(options: {
  videoUrl: string;
  dir: string;
  databaseUrl: string;
}): Promise<Bare> {
  const { videoUrl, dir, databaseUrl } = options;
  await mkdir(dir, { recursive: true });
  const file = fileURLToPath(new URL("./bare-program.ts", import.meta.url));
  const child = fork(file, [videoUrl, dir, databaseUrl]);
  const exited = once(child, "exit");
  const nextMessage = async () => {
    const [message] = await Promise.race([once(child, "message"), exited]);
    if (typeof message !== "string") throw new Error("the bare program ended");
  };
  await nextMessage();
  return {
    pid: child.pid ?? 0,
    async run(round) {
      child.send(round);
      await nextMessage();
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await exited;
    },
  };
}
