import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { readInvocations } from "../check/collect-evidence.ts";

const engineMsMax = 120_000;

export interface OpenWork {
  tasks: number;
  deliveries: number;
}

export function countOpenWork(databaseUrl: string): Promise<OpenWork> {
  return withClient(databaseUrl, async (db) => {
    const { rows } = await db.query<OpenWork>(
      `select (select count(*)::int from open_tasks) as tasks,
        (select count(*)::int from open_deliveries) as deliveries`,
    );
    return rows[0] ?? { tasks: Number.NaN, deliveries: Number.NaN };
  });
}

/** Waits until no task is open; reports the number on every poll. */
export async function waitForTasks(
  databaseUrl: string,
  timeoutMs: number,
  onProgress: (open: OpenWork) => void = () => {},
): Promise<void> {
  const hasEnded = async () => {
    const open = await countOpenWork(databaseUrl);
    onProgress(open);
    return open.tasks === 0;
  };
  await waitUntil("every task has ended", hasEnded, { timeoutMs, intervalMs: 500 });
}

/**
 * Waits until no task and no delivery is open and the engine, if there is one, holds no invocation.
 * Returns whether that happened in time; the checks report what is still open.
 */
export async function waitUntilIdle(
  { databaseUrl, engineUrl }: { databaseUrl: string; engineUrl?: string },
  timeoutMs: number,
): Promise<boolean> {
  const isSettled = async () => {
    const { tasks, deliveries } = await countOpenWork(databaseUrl);
    return tasks + deliveries === 0;
  };
  const isIdle = async () => (await readInvocations(engineUrl ?? "")).length === 0;
  try {
    await waitUntil("all tasks and deliveries are over", isSettled, { timeoutMs, intervalMs: 500 });
    if (engineUrl !== undefined)
      await waitUntil("the engine is idle", isIdle, { timeoutMs: engineMsMax, intervalMs: 250 });
    return true;
  } catch {
    return false;
  }
}
