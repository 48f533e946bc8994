import { randomUUID } from "node:crypto";
import type { GenerationTask, Model } from "@zoetrope/sdk";
import { checkTemplate } from "../files/output-path.ts";
import { uploadInputs } from "../files/upload-inputs.ts";
import { findModel } from "../models/find-model.ts";
import { type Given, textOption } from "../run.ts";
import { openSession, type Session } from "../session.ts";
import { startSpinner } from "../terminal/spinner.ts";
import { tellCompleted, waitForEnd } from "./complete-task.ts";
import { readInputs, toRequest } from "./read-request.ts";

export async function generate(given: Given): Promise<void> {
  const { options } = given;
  const template = textOption(options, "output");
  const batch = textOption(options, "batch");
  if (template !== undefined) checkTemplate(template, batch !== undefined);
  if (batch !== undefined) {
    const { generateBatch } = await import("./generate-batch.ts");
    return generateBatch(given, batch);
  }
  const session = await openSession(given);
  const model = await findModel(session, textOption(options, "model"));
  const inputs = await readInputs(model, given);
  const task = await createTask(session, { model, inputs, options });
  if (task !== null) await tellCompleted(session, task, options);
}

interface Wanted {
  model: Model;
  inputs: Record<string, unknown>;
  options: Given["options"];
}

/** Creates the task and waits for its end; null with `--async`. */
async function createTask(session: Session, wanted: Wanted): Promise<GenerationTask | null> {
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
    talk.result({ taskId }, () => taskId);
    return null;
  }
  return await waitForEnd(session, taskId, options, spinner); // the spinner ends after it
}
