import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "./services/ports.ts";
import { printsLine, type RunningProcess, startProcess } from "./services/process.ts";
import { makeScratch } from "./services/scratch.ts";

export const sandboxMain = fileURLToPath(new URL("../../sandbox/src/main.ts", import.meta.url));

export interface Sandbox extends AsyncDisposable {
  readonly process: RunningProcess;
  readonly url: string;
  /** Its own record of jobs and callbacks, one JSON object per line. */
  readonly journal: string;
  /** The creates whose prompt has this in it, from the journal: a job's id is there even if the answer was lost. */
  creates(mark: string): Promise<{ jobId: string | null }[]>;
  /** The ids of the assets that were registered under this name, from the journal as well. */
  assetsNamed(name: string): Promise<string[]>;
}

/** Jobs that are over soon. */
export const quickJobs = {
  SANDBOX_QUEUED_MS: "20",
  SANDBOX_RUNNING_MS: "20",
  SANDBOX_ASSET_MS: "20",
};

/**
 * The emulated vendors as a process of their own; it writes to `dir`, or to a folder that goes with it.
 * It renders drafts unless `env` says otherwise: tests look at the size and length of a video alone.
 */
export async function startSandbox(
  env: Readonly<Record<string, string>> = {},
  dir?: string,
): Promise<Sandbox> {
  await using started = new AsyncDisposableStack();
  const home = dir ?? started.use(await makeScratch("sandbox")).path;
  const port = await freePort();
  const journal = join(home, "logs", "sandbox-journal.jsonl");
  const running = started.use(
    await startProcess({
      name: "sandbox",
      command: process.execPath,
      args: [sandboxMain],
      env: {
        SANDBOX_PORT: String(port),
        SANDBOX_DIR: join(home, "sandbox"),
        SANDBOX_LOG: journal,
        SANDBOX_DRAFT: "true",
        ...env,
      },
      logFile: join(home, "logs", "sandbox.log"),
      isReady: printsLine(/sandbox\.listening/),
    }),
  );
  const everything = started.move();
  return {
    ...{ process: running, url: `http://127.0.0.1:${port}`, journal },
    async creates(mark) {
      const lines = await readJournal(journal);
      return lines.filter(({ event, prompt }) => event === "create" && prompt?.includes(mark));
    },
    async assetsNamed(name) {
      const lines = await readJournal(journal);
      return lines
        .filter((line) => line.event === "asset" && line.name === name && line.from === null)
        .map(({ assetId }) => assetId);
    },
    [Symbol.asyncDispose]: () => everything.disposeAsync(),
  };
}

interface JournalLine {
  event: string;
  prompt?: string;
  jobId: string | null;
  assetId: string;
  name: string;
  from: string | null;
}

async function readJournal(journal: string): Promise<JournalLine[]> {
  const lines = (await readFile(journal, "utf8")).split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as JournalLine);
}
