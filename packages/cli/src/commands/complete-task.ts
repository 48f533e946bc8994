import type { GenerationTask } from "@zoetrope/sdk";
import { downloadFiles } from "../files/output-path.ts";
import { type Given, numberOption, textOption } from "../run.ts";
import type { Session } from "../session.ts";
import { showCompleted } from "../terminal/show-task.ts";
import type { Spinner } from "../terminal/spinner.ts";

export async function waitForEnd(
  { client, signal }: Session,
  taskId: string,
  options: Given["options"],
  spinner: Spinner,
): Promise<GenerationTask> {
  const seconds = numberOption(options, "timeout");
  return client.tasks.wait(taskId, {
    signal,
    timeoutMs: seconds === undefined ? undefined : seconds * 1000,
    onProgress: ({ status, model, creditsUsed }) =>
      spinner.show(statusWords[status], `${model} · ${creditsUsed} credits · task ${taskId}`),
  });
}

const statusWords: Readonly<Record<GenerationTask["status"], string>> = {
  PENDING: "Waiting for a vendor",
  PROCESSING: "Generating",
  COMPLETED: "Completed",
  FAILED: "Failed",
};

/** Writes the files of a task that is over and says what it is; programs get `answer`. Throws if it failed. */
export async function tellCompleted(
  session: Session,
  task: GenerationTask,
  options: Given["options"],
  answer: object = task,
): Promise<void> {
  const { client, run, talk, signal } = session;
  const completed = client.complete(task);
  const template = textOption(options, "output");
  const paths = template === undefined ? [] : await downloadFiles(template, completed, signal);
  run.pending = {};
  const { taskId, creditsUsed, createTime, completeTime, notes } = task;
  const lines = talk.isJson
    ? []
    : await showCompleted(
        session,
        {
          ...{ taskId, credits: creditsUsed, files: completed.files, paths, notes },
          tookMs: completeTime === null ? null : completeTime - createTime,
        },
        options["poster"] !== false,
      );
  talk.result({ ...answer, ...(template === undefined ? {} : { paths }) }, () => lines);
}
