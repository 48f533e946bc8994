import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Context } from "../../context.ts";
import { fetchObject } from "../../media/storage/fetch-object.ts";
import { NoPermitFree } from "../../semaphore.ts";
import type { OpenTask } from "../../tasks/open-task-queries.ts";
import { postponeSubmit } from "../../tasks/queries.ts";
import { keepSubmit } from "../../tasks/submit-queries.ts";
import type { SubmitResult, VendorAccount } from "../../vendors/vendor.ts";
import type { GenerationContext } from "../context.ts";
import { storeImage } from "../store-image.ts";
import { claimAndCall, graceMsOf } from "./call-vendor.ts";
import { inWorkDir } from "./in-work-dir.ts";
import { type Attempt, noteResult, settled } from "./note-result.ts";
import type { TaskFiles } from "./take-inputs.ts";
import { untilDeadline } from "./until-deadline.ts";

/** Then the row waits instead of the invocation. */
const permitWaitMsMax = 20_000;
const againMs = 2_000;
const keepEveryMs = 10_000;

/**
 * Submits to a vendor that returns the output in its response. The output exists nowhere else until it
 * is stored: from the call on, only the task's deadline ends the work here, and heartbeats keep the
 * claim. The delivered output is in the row before this returns.
 */
export function submitDirect(
  ctx: GenerationContext,
  task: OpenTask,
  account: VendorAccount,
  files: TaskFiles,
): Promise<Attempt> {
  const work = inWorkDir(ctx, "submit-", (dir) => submit(ctx, task, account, files, dir));
  return ctx.unfinished.add(work);
}

async function submit(
  ctx: GenerationContext,
  task: OpenTask,
  account: VendorAccount,
  files: TaskFiles,
  dir: string,
): Promise<Attempt> {
  const { taskId, accountId } = task;
  const sizes = [...distinct(files).values()];
  const bytes = account.vendor.memoryBytesOf(task.request, sizes);
  const keeping = new AbortController();
  try {
    const { stopping } = ctx.unfinished;
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(permitWaitMsMax)]);
    const entry = { accountId, bytes, signal };
    const called = await ctx.directSubmits.use(entry, async () => {
      const paths = await fetchInputs(ctx, files, dir);
      if (stopping.aborted) throw new NoPermitFree(); // another worker takes it
      const onClaim = (startedAt: Date) => keepClaim(ctx, task, account, startedAt, keeping.signal);
      const answer = await claimAndCall(ctx, task, account, { files, paths }, onClaim);
      if (answer === undefined) return undefined;
      const { startedAt, result } = answer;
      return { startedAt, result: await ontoDisk(ctx, task, join(dir, "result"), result) };
    });
    if (called === undefined) return settled;
    const { startedAt, result } = called;
    if (result.kind === "on disk") return await storeImage(ctx, task, { ...result, startedAt });
    const note = () =>
      noteResult(ctx, { taskId, accountId: task.accountId, startedAt, account }, result);
    return await untilDeadline(ctx, task, "note the answer", note);
  } catch (error) {
    if (!(error instanceof NoPermitFree)) throw error;
    await postponeSubmit(ctx.db, taskId, againMs * (1 + Math.random()));
    return settled;
  } finally {
    keeping.abort();
  }
}

/** The memory permit is released before the output is probed and stored, which may take long. */
async function ontoDisk(
  ctx: Context,
  task: OpenTask,
  path: string,
  result: SubmitResult,
): Promise<Exclude<SubmitResult, { kind: "delivered" }> | { kind: "on disk"; path: string }> {
  if (result.kind !== "delivered") return result;
  await untilDeadline(ctx, task, "keep the result", () => writeFile(path, result.bytes));
  return { kind: "on disk", path };
}

/** Sends heartbeats of the submit until stopped, so that it is not given up. */
function keepClaim(
  ctx: Context,
  { taskId }: OpenTask,
  account: VendorAccount,
  startedAt: Date,
  stop: AbortSignal,
): void {
  const graceMs = graceMsOf(account.vendor);
  const timer = setInterval(
    () => keepSubmit(ctx.db, { taskId, startedAt, graceMs }).catch(() => {}), // the next one may work
    keepEveryMs,
  );
  stop.addEventListener("abort", () => clearInterval(timer));
}

/** The objects of a task's files with their sizes; a file that is named several times counts once. */
function distinct(files: TaskFiles): Map<string, number> {
  return new Map(
    [...files.values()].flatMap(({ key, sizeBytes }) => (key === null ? [] : [[key, sizeBytes]])),
  );
}

async function fetchInputs(
  ctx: Context,
  files: TaskFiles,
  dir: string,
): Promise<Map<string, string>> {
  const paths = new Map<string, string>();
  for (const key of distinct(files).keys()) {
    const path = join(dir, `input-${paths.size}`);
    await fetchObject(ctx.storage, key, path);
    paths.set(key, path);
  }
  return paths;
}
