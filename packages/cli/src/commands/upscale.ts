import { randomUUID } from "node:crypto";
import type { TargetResolution, UpscaleSource } from "@zoetrope/sdk";
import { checkTemplate } from "../files/output-path.ts";
import { isUrl, uploadFile } from "../files/upload-inputs.ts";
import { type Invocation, numberOption, textOption } from "../run.ts";
import { openSession, type Session } from "../session.ts";
import { cleanText } from "../terminal/clean-text.ts";
import { type Spinner, startSpinner } from "../terminal/spinner.ts";
import { type Completed, completeUpscale, printCompleted } from "./complete-task.ts";

export async function upscale(invocation: Invocation): Promise<void> {
  const { options, args } = invocation;
  const template = textOption(options, "output");
  if (template !== undefined) checkTemplate(template);
  const session = await openSession(invocation);
  const completed = await createUpscale(session, args[0] ?? "", options);
  if (completed !== null) await printCompleted(session, completed, options);
}

/** Creates the upscale and waits for its end; null with `--async`. */
async function createUpscale(
  session: Session,
  from: string,
  options: Invocation["options"],
): Promise<Completed | null> {
  const { client, run, talk, signal } = session;
  using spinner = startSpinner(talk);
  const source = await readSource(session, from, spinner);
  const idempotencyKey = textOption(options, "idempotencyKey") ?? randomUUID();
  const targetResolution = textOption(options, "to") as TargetResolution; // the service checks it
  run.pending = { idempotencyKey };
  spinner.show("Creating the task");
  const { taskId } = await client.upscales.create(source, targetResolution, {
    idempotencyKey,
    signal,
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

const taskId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const asset = /^asset:\/\/(.+)$/i;

/** A file becomes an asset, the same one when the command is repeated. An output is named, not sent. */
async function readSource(
  session: Session,
  from: string,
  spinner: Spinner,
): Promise<UpscaleSource> {
  if (taskId.test(from)) return { taskId: from };
  const name = asset.exec(from)?.[1];
  if (name !== undefined) return session.client.assets.get(name, { signal: session.signal });
  if (isUrl(from)) return from;
  const show = (text: string) => spinner.show(text);
  return uploadFile(session, from, { type: "VIDEO", until: "sent", show });
}
