import type { Connections } from "../db/connections.ts";
import type { BatchRow } from "../db/sql-functions.ts";
import type { Used } from "../db/tables/tasks.ts";
import { callBatch, createBatch, sharedBy, type Wait } from "../flow/batch.ts";
import type { TaskId } from "../ids.ts";

/** The end of a task's job: the URL of the output, or the failure with the vendor's message, and what it used. */
export interface JobEnd extends Partial<Used> {
  taskId: TaskId;
  resultUrl: string | null;
  failureCode: string | null;
  detail: string | null;
}

/** Records the ends of jobs, all in one transaction or none. */
export function callSaveEnds(pool: Connections, ends: readonly JobEnd[], wait: Wait) {
  const rows = ends.map(({ taskId, resultUrl, failureCode, detail, usage = null, cost = null }) =>
    JSON.stringify({
      task_id: taskId,
      result_url: resultUrl,
      failure_code: failureCode,
      detail,
      usage,
      cost,
    } satisfies BatchRow<"save_ends">),
  );
  return callBatch(pool, "save_ends", rows, wait);
}

/** Records ends as jobs reach them. */
export const endsOf = sharedBy((pool: Connections) =>
  createBatch<JobEnd, object>({
    keyOf: ({ taskId }) => taskId,
    run: (ends, wait) => callSaveEnds(pool, ends, wait),
  }),
);
