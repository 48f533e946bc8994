import type { VideoPlan } from "../../db/tables/upscale.ts";
import type { TaskId } from "../../ids.ts";
import { findOpenTask } from "../../tasks/open-task-queries.ts";
import type { UpscaleContext } from "../context.ts";
import type { Upscaler } from "./upscaler.ts";

/** What vendors are known to accept; editing codecs are upscaled here. */
const vendorCodecs: readonly string[] = ["h264", "hevc", "vp8", "vp9", "av1"];

/** Decided once for a video and kept, since it is cut for the one who does it. Test keys reach no vendor. */
export async function chooseUpscaler(
  ctx: UpscaleContext,
  taskId: TaskId,
  codec: string,
): Promise<VideoPlan["by"]> {
  if (ctx.vendorUpscaler === null || !vendorCodecs.includes(codec)) return "us";
  const task = await findOpenTask(ctx.db, taskId);
  return task === undefined || task.isTest ? "us" : "vendor";
}

/** A segment of a vendor that is no longer configured is upscaled here: a whole video is a segment too. */
export function upscalerOf(ctx: UpscaleContext, { by }: Pick<VideoPlan, "by">): Upscaler {
  return (by === "vendor" ? ctx.vendorUpscaler : null) ?? ctx.upscaler;
}
