import { invalid } from "../errors.ts";
import { oneOf } from "./inputs.ts";
import type { OutputResolution, UpscaleResolution } from "./request.ts";

export const upscaleResolution = oneOf(
  ["1080p", "2k", "4k"],
  "Upscales the finished film; must be higher than outputResolution.",
).optional();

/** An upscale to what the model renders anyway would be paid for nothing. */
export function checkUpscale(
  upscale: UpscaleResolution | undefined,
  output: OutputResolution,
): UpscaleResolution | null {
  if (upscale === output)
    throw invalid(
      "inputs.upscaleResolution",
      `must be higher than outputResolution, which is ${output} already`,
    );
  return upscale ?? null;
}
