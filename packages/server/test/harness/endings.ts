import type { Outcome } from "../../src/tasks/finish-task.ts";

/** The outcomes of a task by its last status. */
export const endings: Record<"COMPLETED" | "FAILED", Outcome> = {
  COMPLETED: {
    kind: "completed",
    output: [
      {
        key: `${"ab".repeat(20)}.mp4`,
        contentType: "video/mp4",
        sizeBytes: 10,
        sha256: "00".repeat(32),
        width: 1280,
        height: 720,
        durationMs: 5000,
      },
    ],
  },
  FAILED: { kind: "failed", code: "task_expired" },
};
