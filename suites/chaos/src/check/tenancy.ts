import { linesOf } from "../kit/client-log.ts";
import type { Evidence, Violation } from "./evidence.ts";

/** I12: a query for another account's task is refused and reveals nothing. */
export function checkTenancy({ clients }: Evidence): Violation[] {
  return linesOf(clients, "foreign").flatMap((line) => {
    const { status, body } = line;
    const namesTask = typeof body === "object" && body !== null && "status" in body;
    if (status === 403 && !namesTask) return [];
    return [
      { what: `account ${line.accountId} read task ${line.taskId} of another`, rows: [line] },
    ];
  });
}
