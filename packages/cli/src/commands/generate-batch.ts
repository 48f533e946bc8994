import { randomUUID } from "node:crypto";
import type { BatchResult, CompletedTask, Model } from "@zoetrope/sdk";
import { usageError } from "../cli-error.ts";
import { type Described, describeError } from "../describe-error.ts";
import { downloadFiles } from "../files/output-path.ts";
import { type Uploads, uploadInputs } from "../files/upload-inputs.ts";
import { readModels } from "../models/cached-models.ts";
import { requireModel } from "../models/find-model.ts";
import { type Invocation, numberOption, textOption } from "../run.ts";
import { openSession, type Session } from "../session.ts";
import { cleanText } from "../terminal/clean-text.ts";
import { type Spinner, startSpinner } from "../terminal/spinner.ts";
import { onStdout } from "../terminal/talk.ts";
import { type BatchLine, readBatch } from "./read-batch.ts";
import { readInputs, toRequest } from "./read-request.ts";

/**
 * Makes a task of every line, as many at once as the account may have, and prints each result as it is
 * over. Repeated with its idempotency key, it makes no task twice.
 */
export async function generateBatch(invocation: Invocation, path: string): Promise<void> {
  const { options, run } = invocation;
  const session = await openSession(invocation);
  const { client, talk, signal } = session;
  const template = textOption(options, "output");
  const lines = await readLines(session, invocation, path);
  if (template !== undefined && lines.length > 1 && !/\{(taskId|line)\}/.test(template))
    throw usageError("--output gives all files one name.", "Add {taskId} or {line}.");
  using spinner = startSpinner(talk);
  const key = textOption(options, "idempotencyKey") ?? randomUUID();
  run.pending = { idempotencyKey: key };
  const requests = await toRequests(session, lines, { options, key, spinner });
  const failures: Described[] = [];
  let done = 0;
  spinner.show(`0 of ${lines.length} done`);
  for await (const result of client.batch(requests, { signal })) {
    const line = lines[result.index]?.line ?? 0;
    const outcome = await takeResult(session, result, line, template);
    if ("error" in outcome) failures.push(outcome.error);
    done += 1;
    talk.result({ line, ...outcome }, () => describeOutcome(line, outcome));
    const failed = failures.length === 0 ? "" : `, ${failures.length} failed`;
    spinner.show(`${done} of ${lines.length} done${failed}`);
  }
  run.pending = {};
  const [first] = failures;
  if (first === undefined) return;
  run.exitCode = first.exitCode;
  talk.say(`${failures.length} of ${lines.length} failed. Repeat with --idempotency-key ${key} to`);
  talk.say("retry the refused lines; existing tasks are not created again.");
}

/** The lines, with the flags as defaults of their model. */
async function readLines(
  session: Session,
  invocation: Invocation,
  path: string,
): Promise<BatchLine[]> {
  const { client, login, signal } = session;
  const name = textOption(invocation.options, "model");
  const has = (models: Model[], names: string[]) =>
    names.every((one) => models.some(({ model }) => model === one));
  const models = await readModels(client, login, signal, (kept) => has(kept, name ? [name] : []));
  const model = name === undefined ? null : requireModel(models, name);
  const inputs = model === null ? {} : await readInputs(model, invocation);
  return readBatch(path, { model: name, inputs });
}

/** Uploads every file that a line names, once, and gives every line its own key. */
async function toRequests(
  session: Session,
  lines: readonly BatchLine[],
  { options, key, spinner }: { options: Invocation["options"]; key: string; spinner: Spinner },
) {
  const { client, login, signal } = session;
  const isEnough = (models: Model[]) =>
    lines.every(({ model }) => models.some((one) => one.model === model));
  const models = await readModels(client, login, signal, isEnough);
  const uploads: Uploads = new Map();
  const requests = [];
  for (const { line, model, inputs, maxCredits, callBackUrl } of lines) {
    const show = (text: string) => spinner.show(`Line ${line}: ${text}`);
    const found = requireModel(models, model);
    const taken = await uploadInputs(session, found, inputs, { uploads, show });
    const limit = maxCredits ?? numberOption(options, "maxCredits");
    const callbackUrl = callBackUrl ?? textOption(options, "callbackUrl");
    const request = toRequest(model, taken, { maxCredits: limit, callbackUrl });
    requests.push({ ...request, idempotencyKey: `${key}-${line}` });
  }
  return requests;
}

type Outcome =
  | { status: "completed"; task: object; paths: string[] }
  | { status: "failed"; error: Described };

async function takeResult(
  { signal }: Session,
  result: BatchResult<CompletedTask>,
  line: number,
  template: string | undefined,
): Promise<Outcome> {
  try {
    if (result.status === "failed") throw result.error;
    const { files, ...task } = result.value;
    const named = { ...task, files, line };
    const paths = template === undefined ? [] : await downloadFiles(template, named, signal);
    return { status: "completed", task, paths };
  } catch (error) {
    signal.throwIfAborted();
    return { status: "failed", error: describeError(error) };
  }
}

function describeOutcome(line: number, outcome: Outcome): string {
  if (outcome.status === "failed")
    return `${onStdout("red", "✖")} line ${line}  ${cleanText(outcome.error.message)}`;
  const { taskId, output } = outcome.task as CompletedTask;
  const where = outcome.paths.length > 0 ? outcome.paths : (output ?? []).map(({ url }) => url);
  return `${onStdout("green", "✔")} line ${line}  ${cleanText([taskId, ...where].join("  "))}`;
}
