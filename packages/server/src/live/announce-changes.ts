import type { Announcer } from "../context.ts";
import type { Connections } from "../db/connections.ts";
import { createWriteBehind } from "../flow/write-behind.ts";
import type { AccountId, TaskId } from "../ids.ts";
import type { Log } from "../log.ts";

export const changesChannel = "task_changes";
/** The channel that announces every account that has left the shard. */
export const movesChannel = "accounts_moved";

const waitMs = 20;
/**
 * The maximum number of ids in one notification, which carries less than 8000 bytes: two ids of 36
 * characters for each.
 */
const idsMax = 100;
/** The maximum number of waiting ids. Beyond it the database is unavailable or far behind. */
const waitingMax = 20_000;

/**
 * Called after the commit that changed a task. A NOTIFY inside that transaction would serialize all
 * commits; here many changes share one, without waiting for the disk.
 */
export function createAnnouncer(pool: Connections, log: Log): Announcer {
  const changes = createWriteBehind<TaskId, [TaskId, AccountId]>({
    waitMs,
    rowsMax: idsMax,
    waitingMax,
    async save(rows) {
      await pool.query({
        name: "announce changes",
        text: "select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)",
        values: [changesChannel, renderChanges(rows)],
      });
    },
    lost: (rows, error) =>
      log.warn({ event: "changes.unnotified", count: rows.length, reason: String(error) }),
  });
  return {
    announce(taskId, accountId) {
      changes.note(taskId, [taskId, accountId]);
    },
    close: () => changes.close(),
  };
}

/** Tasks, then their accounts in the same order: a release that reads only tasks finds them as before. */
function renderChanges(changes: [TaskId, AccountId][]): string {
  const taskIds = changes.map(([taskId]) => taskId);
  const accountIds = changes.map(([, accountId]) => accountId);
  return `${taskIds.join(",")},;${accountIds.join(",")}`;
}

/** The tasks of a notification. One that an earlier release sent names no account. */
export function parseChanges(
  payload: string,
): { taskId: TaskId; accountId: AccountId | undefined }[] {
  const [taskIds = "", accountIds = ""] = payload.split(";");
  const accounts = accountIds.split(",");
  return taskIds
    .split(",")
    .filter((taskId) => taskId !== "")
    .map((taskId, index) => ({
      taskId: taskId as TaskId,
      accountId: (accounts[index] || undefined) as AccountId | undefined,
    }));
}
