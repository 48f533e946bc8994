import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { Client } from "pg";
import type { TaskId } from "../../src/ids.ts";
import { changesChannel, parseChanges } from "../../src/live/announce-changes.ts";

/** Hears which tasks are announced, as an api process would. */
export async function collectChanges(url: string) {
  const payloads: string[] = [];
  const client = new Client({ connectionString: url });
  client.on("notification", ({ payload = "" }) => payloads.push(payload));
  await client.connect();
  await client.query(`listen ${changesChannel}`);
  return {
    payloads,
    ids: () => payloads.flatMap((payload) => parseChanges(payload).map(({ taskId }) => taskId)),
    /** Returns when the task has been announced since the last time this was asked. */
    async announced(taskId: TaskId, timeoutMs = 60_000): Promise<void> {
      const isAnnounced = () => payloads.some((payload) => payload.includes(taskId));
      await waitUntil(`task ${taskId} is announced`, isAnnounced, { timeoutMs });
      payloads.length = 0;
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}
