import { readFile } from "node:fs/promises";
import { type SandboxProcess, startSandboxProcess } from "@zoetrope/dev/start-sandbox.ts";
import { makeScratch } from "./services/scratch.ts";

export interface Sandbox extends SandboxProcess, AsyncDisposable {
  /**
   * Returns the creates whose prompt contains this, from the journal: a job's id is there even if
   * the response was lost.
   */
  creates(mark: string): Promise<{ jobId: string | null; watermark?: boolean }[]>;
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
 * Starts the emulated vendors as a separate process; it writes to `dir`, or to a folder that goes
 * with it. It renders drafts unless `env` says otherwise: tests look at the size and length of a
 * video alone.
 */
export async function startSandbox(
  env: Readonly<Record<string, string>> = {},
  dir?: string,
): Promise<Sandbox> {
  await using started = new AsyncDisposableStack();
  const home = dir ?? started.use(await makeScratch("sandbox")).path;
  const emulated = await startSandboxProcess(env, home);
  started.use(emulated.process);
  const { journal } = emulated;
  const everything = started.move();
  return {
    ...emulated,
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
  watermark?: boolean;
  jobId: string | null;
  assetId: string;
  name: string;
  from: string | null;
}

async function readJournal(journal: string): Promise<JournalLine[]> {
  const lines = (await readFile(journal, "utf8")).split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as JournalLine);
}
