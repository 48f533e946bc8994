import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@zoetrope/testkit/services/ports.ts";
import { printsLine, startProcess } from "@zoetrope/testkit/services/process.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";

const sandboxMain = fileURLToPath(new URL("../../../sandbox/src/main.ts", import.meta.url));

export interface SandboxProcess extends AsyncDisposable {
  url: string;
  /** The creates whose prompt has this in it, from the journal: a job's id is there also if nobody was told. */
  creates(mark: string): Promise<{ jobId: string | null }[]>;
  /** The ids of the assets that were registered under this name, from the journal as well. */
  assetsNamed(name: string): Promise<string[]>;
}

interface JournalLine {
  event: string;
  prompt: string;
  jobId: string | null;
  assetId: string;
  name: string;
  from: string | null;
}

/** The sandbox as a process of its own. */
export async function startSandboxProcess(times: {
  queuedMs: number;
  runningMs: number;
  assetMs?: number;
}): Promise<SandboxProcess> {
  await using starting = new AsyncDisposableStack();
  const scratch = starting.use(await makeScratch("vendor"));
  const port = await freePort();
  starting.use(
    await startProcess({
      name: "sandbox",
      command: process.execPath,
      args: [sandboxMain],
      env: {
        SANDBOX_PORT: String(port),
        SANDBOX_DIR: scratch.path,
        SANDBOX_QUEUED_MS: String(times.queuedMs),
        SANDBOX_RUNNING_MS: String(times.runningMs),
        SANDBOX_ASSET_MS: String(times.assetMs ?? 20),
      },
      logFile: join(scratch.path, "sandbox.log"),
      isReady: printsLine(/sandbox\.listening/),
    }),
  );
  const cleanUp = starting.move();
  async function readJournal() {
    const journal = await readFile(join(scratch.path, "sandbox.jsonl"), "utf8");
    const lines = journal.split("\n").filter((line) => line !== "");
    return lines.map((line) => JSON.parse(line) as JournalLine);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async creates(mark) {
      const lines = await readJournal();
      return lines.filter(({ event, prompt }) => event === "create" && prompt?.includes(mark));
    },
    async assetsNamed(name) {
      const lines = await readJournal();
      const isMeant = (line: JournalLine) => line.event === "asset" && line.name === name;
      return lines
        .filter((line) => isMeant(line) && line.from === null)
        .map((line) => line.assetId);
    },
    [Symbol.asyncDispose]: () => cleanUp.disposeAsync(),
  };
}
