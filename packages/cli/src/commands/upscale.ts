import { randomUUID } from "node:crypto";
import type { TargetResolution, UpscaleSource } from "@zoetrope/sdk";
import { usageError } from "../cli-error.ts";
import { checkTemplate } from "../files/output-path.ts";
import { isUrl, uploadOnce } from "../files/upload-inputs.ts";
import { type Given, numberOption, textOption } from "../run.ts";
import { openSession, type Session } from "../session.ts";
import { cleanText } from "../terminal/clean-text.ts";
import { type Spinner, startSpinner } from "../terminal/spinner.ts";
import { type Completed, completeUpscale, tellCompleted } from "./complete-task.ts";

export async function upscale(given: Given): Promise<void> {
  const { options, args } = given;
  const template = textOption(options, "output");
  if (template !== undefined) checkTemplate(template);
  const session = await openSession(given);
  const completed = await createUpscale(session, args[0] ?? "", options);
  if (completed !== null) await tellCompleted(session, completed, options);
}

/** Creates the upscale and waits for its end; null with `--async`. */
async function createUpscale(
  session: Session,
  from: string,
  options: Given["options"],
): Promise<Completed | null> {
  const { client, run, talk, signal } = session;
  using spinner = startSpinner(talk);
  const source = await readSource(session, from, spinner);
  const idempotencyKey = textOption(options, "idempotencyKey") ?? randomUUID();
  const targetResolution = textOption(options, "to") as TargetResolution; // the service checks it
  run.pending = { idempotencyKey };
  spinner.show("Creating the task");
  const { taskId } = await client.upscales.create(source, targetResolution, {
    ...{ idempotencyKey, signal },
    callBackUrl: textOption(options, "callbackUrl"),
    maxCredits: numberOption(options, "maxCredits"),
  });
  run.pending = { taskId };
  if (options["async"] === true) {
    talk.result({ taskId }, () => cleanText(taskId));
    return null;
  }
  return await completeUpscale(session, { taskId, options, spinner }); // the spinner ends after it
}

/** A file becomes an asset, the same one when the command is repeated. */
async function readSource(
  session: Session,
  from: string,
  spinner: Spinner,
): Promise<UpscaleSource> {
  if (/^asset:/i.test(from))
    throw usageError("An upscale takes a file or a URL.", "Give the storageUrl of the asset.");
  if (isUrl(from)) return from;
  const show = (text: string) => spinner.show(text);
  return uploadOnce(session, from, { type: "VIDEO", until: "sent", show });
}
