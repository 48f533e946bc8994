import type { GenerationTask, Output, UpscaleTask } from "@zoetrope/sdk";
import { downloadFiles } from "../files/output-path.ts";
import { type Invocation, numberOption, textOption } from "../run.ts";
import type { Session } from "../session.ts";
import { showCompleted } from "../terminal/show-task.ts";
import type { Spinner } from "../terminal/spinner.ts";

/** A task of either kind that has completed. */
export interface Completed {
  /** The task as the service returns it, for programs. */
  answer: GenerationTask | UpscaleTask;
  taskId: string;
  model: string;
  credits: number;
  tookMs: number | null;
  files: readonly Output[];
  notes: readonly { param: string; message: string }[];
}

interface Waiting {
  taskId: string;
  options: Invocation["options"];
  spinner: Spinner;
}

/** Waits for a generation. Throws if it fails. */
export async function completeGeneration(
  { client, signal }: Session,
  { taskId, options, spinner }: Waiting,
): Promise<Completed> {
  const task = await client.tasks.wait(taskId, {
    signal,
    timeoutMs: timeoutMsOf(options),
    onProgress: ({ status, model, creditsUsed }) =>
      spinner.show(generationStates[status], `${model} · ${creditsUsed} credits · task ${taskId}`),
  });
  const { model, creditsUsed, createTime, completeTime, notes = [] } = task;
  const tookMs = completeTime === null ? null : completeTime - createTime;
  const { files } = client.complete(task);
  return { answer: task, taskId, model, credits: creditsUsed, tookMs, files, notes };
}

const generationStates: Readonly<Record<GenerationTask["status"], string>> = {
  PENDING: "Waiting for a vendor",
  PROCESSING: "Generating",
  COMPLETED: "Completed",
  FAILED: "Failed",
};

/** Waits for an upscale. Throws if it fails. */
export async function completeUpscale(
  { client, signal }: Session,
  { taskId, options, spinner }: Waiting,
): Promise<Completed> {
  const task = await client.upscales.wait(taskId, {
    signal,
    timeoutMs: timeoutMsOf(options),
    onProgress: ({ status, progress }) =>
      spinner.show(
        status === "processing" ? `Upscaling · ${progress} %` : (upscaleStates[status] ?? status),
        `task ${taskId}`,
      ),
  });
  const { createdAt, finishedAt, creditsConsumed } = task;
  const tookMs = finishedAt === null ? null : Date.parse(finishedAt) - Date.parse(createdAt);
  const { file } = client.upscales.complete(task);
  const named = { answer: task, taskId, model: "upscale" };
  return { ...named, credits: creditsConsumed ?? 0, tookMs, files: [file], notes: [] };
}

const upscaleStates: Readonly<Record<string, string>> = {
  validating: "Reading the source",
  completed: "Completed",
  failed: "Failed",
};

function timeoutMsOf(options: Invocation["options"]): number | undefined {
  const seconds = numberOption(options, "timeout");
  return seconds === undefined ? undefined : seconds * 1000;
}

/** Writes the files of a task and says what it is. */
export async function printCompleted(
  session: Session,
  completed: Completed,
  options: Invocation["options"],
): Promise<void> {
  const { run, talk, signal } = session;
  const template = textOption(options, "output");
  const paths =
    template === undefined ? undefined : await downloadFiles(template, completed, signal);
  run.pending = {};
  const hasPoster = options["poster"] !== false;
  const shown = { ...completed, paths: paths ?? [] };
  const lines = talk.isJson ? [] : await showCompleted(session, shown, hasPoster);
  const answer = { ...completed.answer, paths };
  talk.result(answer, () => lines);
}
