import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Context } from "../context.ts";
import type { FailureCode } from "../errors.ts";
import { download } from "../media/download.ts";
import { probeMedia } from "../media/probe.ts";
import { type MediaRef, mediaOf } from "../models/request.ts";
import type { OpenTask } from "../tasks/queries.ts";
import type { InputFile } from "../vendors/vendor.ts";

const inputBytesMax = 50 * 1024 * 1024;
const inputMsMax = 60_000;
const triesMax = 3;

/**
 * Fetches the pictures of a task for a vendor that takes files, before anything is claimed or sent.
 * What cannot be fetched or is no picture fails the task.
 */
export async function readInputs(
  ctx: Context,
  task: OpenTask,
): Promise<Map<MediaRef, InputFile> | { kind: "failed"; code: FailureCode }> {
  const files = new Map<MediaRef, InputFile>();
  for (const { param, ref } of mediaOf(task.request)) {
    const file = await ctx.mediaSlots.use(() => readInput(ctx, ref));
    if ("reason" in file) {
      const { code, reason } = file;
      ctx.log.warn({ event: "input.unusable", taskId: task.taskId, param, reason });
      return { kind: "failed", code };
    }
    files.set(ref, file);
  }
  return files;
}

type Unusable = { code: FailureCode; reason: string };

async function readInput(ctx: Context, ref: MediaRef): Promise<InputFile | Unusable> {
  if ("asset" in ref) return { code: "input_unreachable", reason: "the library has no file of it" };
  await mkdir(ctx.workDir, { recursive: true });
  const dir = await mkdtemp(join(ctx.workDir, "input-"));
  try {
    const path = join(dir, "input");
    const fetched = await fetchPatiently(ctx, ref.url, path);
    if (fetched !== null) return fetched;
    const picture = await probeMedia(path);
    if (picture?.type !== "IMAGE") return { code: "input_unusable", reason: "not a picture" };
    return { bytes: await readFile(path), contentType: picture.contentType };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function fetchPatiently(ctx: Context, url: string, path: string): Promise<Unusable | null> {
  const limits = { sizeBytesMax: inputBytesMax, totalMsMax: inputMsMax };
  let reason = "";
  for (let tries = 0; tries < triesMax; tries++) {
    try {
      const fetched = await download(ctx.safeFetch, url, path, limits);
      if (fetched.kind === "done") return null;
      return { code: "input_unreachable", reason: fetched.reason };
    } catch (error) {
      reason = String(error);
    }
  }
  return { code: "input_unreachable", reason };
}
