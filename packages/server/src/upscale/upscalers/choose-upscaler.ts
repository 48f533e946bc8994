import type { VideoPlan } from "../../db/tables/upscale.ts";
import type { UpscaleContext } from "../context.ts";
import type { Upscaler } from "./upscaler.ts";

/** The codecs that vendors are known to accept; videos in editing codecs are upscaled here. */
const vendorCodecs: readonly string[] = ["h264", "hevc", "vp8", "vp9", "av1"];

/** Decided once for a video and kept, since it is cut for the one who does it. Test keys reach no vendor. */
export function chooseUpscaler(
  ctx: UpscaleContext,
  { isTest, codec }: { isTest: boolean; codec: string },
): VideoPlan["by"] {
  const isForVendor = ctx.vendorUpscaler !== null && vendorCodecs.includes(codec);
  return isForVendor && !isTest ? "vendor" : "us";
}

/** A segment of a vendor that is no longer configured is upscaled here: a whole video is a segment too. */
export function upscalerOf(ctx: UpscaleContext, { by }: Pick<VideoPlan, "by">): Upscaler {
  return (by === "vendor" ? ctx.vendorUpscaler : null) ?? ctx.upscaler;
}
