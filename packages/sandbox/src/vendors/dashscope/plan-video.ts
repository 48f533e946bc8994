import { imageSize } from "../../kit/image-size.ts";
import type { FetchInput } from "../../kit/inputs.ts";
import type { VideoSpec } from "../../render/video/spec.ts";
import { DashScopeError } from "./errors.ts";
import type { DashScopeRequest, Mode } from "./read-request.ts";
import { type Size, shapeOf, sizeOf } from "./sizes.ts";

const imageBytesMax = 10 * 1_024 * 1_024;
const ratioMax = 2.5;
/** JPEG, PNG and WEBP, by their first bytes as Latin-1. */
const formats = /^(\xff\xd8\xff|\x89PNG\r\n|RIFF.{4}WEBP)/s;
const magicBytes = 12;
const shortSideMin: Record<Mode, number> = { t2v: 0, i2v: 300, r2v: 400 };

/** Fetches and inspects the images and says what video to render. Throws DashScopeError, InputError. */
export async function planVideo(
  request: DashScopeRequest,
  fetchInput: FetchInput,
): Promise<VideoSpec> {
  const images = await Promise.all(request.imageUrls.map(fetchInput));
  let shape = shapeOf(request.ratio ?? "16:9");
  for (const image of images) {
    const size = await inspectImage(image, shortSideMin[request.mode]);
    if (request.mode === "i2v") shape = size;
  }
  const [firstFrame] = images;
  return {
    prompt: request.drawnPrompt,
    ...sizeOf(request.resolution, shape),
    seconds: request.durationSeconds,
    audio: true,
    seed: request.seed,
    ...(request.mode === "i2v" && firstFrame && { firstFrame }),
    ...(request.mode === "r2v" && { references: images }),
  };
}

async function inspectImage(image: Buffer, sideMin: number): Promise<Size> {
  if (image.length > imageBytesMax) {
    throw new DashScopeError("InvalidImage.FileSize", "An image must have at most 10 MB.");
  }
  if (!formats.test(image.subarray(0, magicBytes).toString("latin1"))) {
    throw new DashScopeError("InvalidImage.FileFormat", "An image must be a JPEG, PNG or WEBP.");
  }
  const size = await imageSize(image);
  const [short, long] = [Math.min(size.width, size.height), Math.max(size.width, size.height)];
  if (short < sideMin || long > short * ratioMax) {
    const limits = `at least ${sideMin} pixels on its shorter side and at most ${ratioMax} times as many on the other`;
    const message = `An image must have ${limits}, not ${size.width}x${size.height}.`;
    throw new DashScopeError("InvalidImage.Resolution", message);
  }
  return size;
}
