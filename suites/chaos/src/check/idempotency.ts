import { answersOf } from "../kit/client-log.ts";
import type { Evidence, Violation } from "./evidence.ts";

/** Checks I10: one task per idempotency key, and a repeated key gets the first response. */
export function checkIdempotency({ rows, clients }: Evidence): Violation[] {
  const violations: Violation[] = [];
  const keyOf = (row: { accountId: string; key: string }) => `${row.accountId} ${row.key}`;
  const stored = new Map(rows.idempotencyKeys.map((row) => [keyOf(row), row]));
  const accepted = answersOf(clients).filter((answer) => answer.status === 200);
  for (const [key, answers] of Map.groupBy(accepted, keyOf)) {
    const taskIds = new Set(answers.map((answer) => answer.taskId));
    if (taskIds.size > 1)
      violations.push({
        what: `key ${key} was answered with ${taskIds.size} tasks`,
        rows: answers,
      });
    const row = stored.get(key);
    if (row === undefined || !taskIds.has(taskIdIn(row.response)))
      violations.push({ what: `key ${key} has no such stored answer`, rows: [row, ...answers] });
  }
  const keysOfTask = Map.groupBy(rows.idempotencyKeys, (row) => taskIdIn(row.response) ?? "none");
  for (const task of rows.tasks) {
    const keys = keysOfTask.get(task.id) ?? []; // the clients send a key with every request
    if (keys.length !== 1)
      violations.push({
        what: `task ${task.id} belongs to ${keys.length} keys`,
        rows: [task, ...keys],
      });
  }
  return violations;
}

function taskIdIn(response: unknown): string | null {
  const isObject = typeof response === "object" && response !== null;
  return isObject && "taskId" in response ? String(response.taskId) : null;
}
