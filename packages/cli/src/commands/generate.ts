import { randomUUID } from "node:crypto";
import type { Model } from "@zoetrope/sdk";
import { checkTemplate } from "../files/output-path.ts";
import { uploadInputs } from "../files/upload-inputs.ts";
import { findModel } from "../models/find-model.ts";
import { type Invocation, textOption } from "../run.ts";
import { openSession, type Session } from "../session.ts";
import { cleanText } from "../terminal/clean-text.ts";
import { startSpinner } from "../terminal/spinner.ts";
import { type Completed, completeGeneration, printCompleted } from "./complete-task.ts";
import { readInputs, toRequest } from "./read-request.ts";

export async function generate(invocation: Invocation): Promise<void> {
  const { options } = invocation;
  const template = textOption(options, "output");
  const batch = textOption(options, "batch");
  if (template !== undefined) checkTemplate(template, batch !== undefined);
  if (batch !== undefined) {
    const { generateBatch } = await import("./generate-batch.ts");
    return generateBatch(invocation, batch);
  }
  const session = await openSession(invocation);
  const model = await findModel(session, textOption(options, "model"));
  const inputs = await readInputs(model, invocation);
  const completed = await createTask(session, { model, inputs, options });
  if (completed !== null) await printCompleted(session, completed, options);
}

interface Wanted {
  model: Model;
  inputs: Record<string, unknown>;
  options: Invocation["options"];
}

/** Creates the task and waits for its end; null with `--async`. */
async function createTask(session: Session, wanted: Wanted): Promise<Completed | null> {
  const { client, run, talk, signal } = session;
  const { model, options } = wanted;
  using spinner = startSpinner(talk);
  const show = (text: string) => spinner.show(text);
  const inputs = await uploadInputs(session, model, wanted.inputs, { uploads: new Map(), show });
  const idempotencyKey = textOption(options, "idempotencyKey") ?? randomUUID();
  run.pending = { idempotencyKey };
  spinner.show("Creating the task");
  const request = toRequest(model.model, inputs, options);
  const { taskId } = await client.tasks.create(request, { idempotencyKey, signal });
  run.pending = { taskId };
  if (options["async"] === true) {
    talk.result({ taskId }, () => cleanText(taskId));
    return null;
  }
  return await completeGeneration(session, { taskId, options, spinner }); // the spinner ends after it
}
