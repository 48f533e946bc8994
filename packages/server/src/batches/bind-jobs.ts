import type { Connections } from "../db/connections.ts";
import type { BatchRow } from "../db/sql-functions.ts";
import { callBatch, createBatch, sharedBy } from "../flow/batch.ts";
import type { TaskId } from "../ids.ts";

export interface VendorJobOf {
  taskId: TaskId;
  jobId: string;
  pollMs: number;
  submittedAt?: Date;
  isAnswer?: boolean;
}

/** Connects tasks with the vendors' jobs. */
export const bindsOf = sharedBy((pool: Connections) =>
  createBatch<VendorJobOf, { is_bound: boolean }>({
    keyOf: ({ taskId }) => taskId,
    run(jobs, wait) {
      const rows = jobs.map(({ taskId, jobId, pollMs, submittedAt = null, isAnswer = false }) =>
        JSON.stringify({
          task_id: taskId,
          job_id: jobId,
          poll_ms: pollMs,
          submitted_at: submittedAt,
          is_answer: isAnswer,
        } satisfies BatchRow<"bind_jobs">),
      );
      return callBatch(pool, "bind_jobs", rows, wait);
    },
  }),
);
