import { randomUUID } from "node:crypto";
import {
  type GenerationTask,
  type TargetResolution,
  TaskFailedError,
  type UpscaleTask,
} from "@zoetrope/sdk";
import { usageError } from "../cli-error.ts";
import { checkTemplate } from "../files/output-path.ts";
import { isUrl, uploadOnce } from "../files/upload-inputs.ts";
import { type Given, numberOption, textOption } from "../run.ts";
import { openSession, type Session } from "../session.ts";
import { type Spinner, startSpinner } from "../terminal/spinner.ts";
import { tellCompleted } from "./complete-task.ts";

export async function upscale(given: Given): Promise<void> {
  const { options, args } = given;
  const template = textOption(options, "output");
  if (template !== undefined) checkTemplate(template);
  const session = await openSession(given);
  const task = await createUpscale(session, args[0] ?? "", options);
  if (task !== null) await tellUpscaled(session, task, options);
}

/** Creates the upscale and waits for its end; null with `--async`. */
async function createUpscale(
  session: Session,
  from: string,
  options: Given["options"],
): Promise<UpscaleTask | null> {
  const { client, run, talk, signal } = session;
  using spinner = startSpinner(talk);
  const source = await readSource(session, from, spinner);
  const idempotencyKey = textOption(options, "idempotencyKey") ?? randomUUID();
  const callBackUrl = textOption(options, "callbackUrl");
  const targetResolution = textOption(options, "to") as TargetResolution; // the service checks it
  run.pending = { idempotencyKey };
  spinner.show("Creating the task");
  const { taskId } = await client.request<{ taskId: string }>({
    method: "POST",
    path: "/api/v1/upscale/create",
    body: { source, targetResolution, callBackUrl },
    ...{ idempotencyKey, signal },
  });
  run.pending = { taskId };
  if (options["async"] === true) {
    talk.result({ taskId }, () => taskId);
    return null;
  }
  return await waitForUpscale(session, taskId, options, spinner); // the spinner ends after it
}

/** A file becomes an asset, the same one when the command is repeated. */
async function readSource(session: Session, from: string, spinner: Spinner): Promise<object> {
  if (/^asset:/i.test(from))
    throw usageError("An upscale takes a file or a URL.", "Give the storageUrl of the asset.");
  if (isUrl(from)) return { type: "url", url: from };
  const show = (text: string) => spinner.show(text);
  const asset = await uploadOnce(session, from, { type: "VIDEO", until: "sent", show });
  return { type: "uploadId", storageUrl: asset.storageUrl };
}

export function waitForUpscale(
  { client, signal }: Session,
  taskId: string,
  options: Given["options"],
  spinner: Spinner,
): Promise<UpscaleTask> {
  const seconds = numberOption(options, "timeout");
  return client.upscales.wait(taskId, {
    signal,
    timeoutMs: seconds === undefined ? undefined : seconds * 1000,
    onProgress: ({ status, progress }) =>
      spinner.show(
        status === "processing" ? `Upscaling · ${progress} %` : (statusWords[status] ?? status),
        `task ${taskId}`,
      ),
  });
}

const statusWords: Readonly<Record<string, string>> = {
  validating: "Reading the source",
  completed: "Completed",
  failed: "Failed",
};

/** Writes the file of an upscale that is over and says what it is. Throws if it failed. */
export async function tellUpscaled(
  session: Session,
  task: UpscaleTask,
  options: Given["options"],
): Promise<void> {
  if (task.error !== null) throw new TaskFailedError(task, task.error);
  const { taskId, result, creditsConsumed, createdAt, finishedAt } = task;
  const asGeneration: GenerationTask = {
    ...{ taskId, model: "upscale", status: "COMPLETED", error: null, errorCode: null },
    creditsUsed: creditsConsumed ?? 0,
    output: result === null ? [] : [result],
    createTime: Date.parse(createdAt),
    completeTime: finishedAt === null ? null : Date.parse(finishedAt),
  };
  await tellCompleted(session, asGeneration, options, task);
}
