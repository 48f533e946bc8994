import type { TaskId } from "../../src/ids.ts";

/** The claim of a submit to Ark, which is reconciled after a second. */
export function claimOf(taskId: TaskId) {
  return { taskId, vendorAccount: "ark", graceMs: 1_000, isAtWork: false, known: 0 };
}
