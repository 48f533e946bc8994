import { type Phase, TimeoutError } from "./errors.ts";
import type { FileProgress } from "./take-files.ts";

/** A task that exists. Repeated with the key, the call finds it again. */
export interface Created {
  taskId: string;
  idempotencyKey: string;
}

interface StageOptions {
  timeoutMs?: number | undefined;
  onProgress?: ((progress: FileProgress) => void) | undefined;
  onCreated?: ((created: Created) => void) | undefined;
}

/** Keeps the progress of a call, for its callbacks and for the error of its time limit. */
export function watchStages(
  { timeoutMs, onProgress, onCreated }: StageOptions,
  idempotencyKey: string,
) {
  let taskId: string | null = null;
  const files = new Map<string, FileProgress>();
  return {
    report(progress: FileProgress) {
      const before = files.get(progress.input)?.phase;
      files.set(progress.input, progress);
      if (before !== progress.phase) onProgress?.(progress);
    },
    create(created: string) {
      taskId = created;
      onCreated?.({ taskId: created, idempotencyKey });
    },
    late() {
      const reviewed = [...files.values()].find(({ phase }) => phase === "review");
      const phase: Phase =
        taskId !== null || files.size === 0 ? "task" : reviewed === undefined ? "upload" : "review";
      const what = {
        upload: "The upload of the files",
        review: `The review of ${reviewed?.input} (asset ${reviewed?.assetId})`,
        task: `The task${taskId === null ? "" : ` ${taskId}`}`,
      }[phase];
      const next =
        taskId === null
          ? "Repeat the call with the same idempotencyKey: what was sent is not sent again."
          : "It is still running: wait for its taskId.";
      const message = `${what} is not over after ${timeoutMs} ms. ${next}`;
      return new TimeoutError(message, { taskId, idempotencyKey, phase });
    },
  };
}
