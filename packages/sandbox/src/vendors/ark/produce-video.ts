import assert from "node:assert/strict";
import type { SandboxConfig } from "../../config.ts";
import { createGate } from "../../kit/gate.ts";
import { imageSize } from "../../kit/image-size.ts";
import { InputError } from "../../kit/input-error.ts";
import { type FetchInput, isAsset } from "../../kit/inputs.ts";
import type { VideoLinks } from "../../kit/video-links.ts";
import { brokenVideoName, noVideoName } from "../../kit/video-routes.ts";
import type { VideoInputs } from "../../render/video/spec.ts";
import type { VideoStore } from "../../render/video/video-store.ts";
import type { ArkJob } from "./ark-job.ts";
import type { InputRole } from "./content.ts";
import { ArkError } from "./errors.ts";
import { inputError } from "./outcomes.ts";
import { nearestRatio, type Ratio, sizeOf } from "./sizes.ts";

export interface VideoParts {
  config: SandboxConfig;
  videos: VideoStore;
  links: VideoLinks;
  fetchInput: FetchInput;
  /** Returns the bytes of a registered asset; undefined when there is none with that id. */
  bytesOfAsset?: (id: string) => Promise<Buffer> | undefined;
}

export type VideoOutcome = { videoUrl: string; ratio: Ratio } | ArkError;

/** Jobs whose inputs are in memory at a time. */
const fetchedMax = 16;

/** Makes the videos of jobs. Never rejects: what goes wrong is the error of the job. */
export function createProduceVideo(parts: VideoParts): (job: ArkJob) => Promise<VideoOutcome> {
  const gate = createGate(fetchedMax);
  return async (job) => {
    try {
      if (job.request.inputs.length === 0) return await produce(parts, job, {});
      return await gate.pass(async () => produce(parts, job, await fetchInputs(parts, job)));
    } catch (error) {
      if (error instanceof InputError) return inputError(error.outcome, error.message);
      const message = `The video could not be rendered: ${String(error)}`;
      return new ArkError("InternalServiceError", message);
    }
  };
}

async function produce(parts: VideoParts, job: ArkJob, inputs: VideoInputs): Promise<VideoOutcome> {
  const { config, videos, links } = parts;
  const { request, script } = job;
  const ratio = request.ratio === "adaptive" ? await adaptedRatio(inputs) : request.ratio;
  const sign = (name: string, livesMs: number) => ({
    videoUrl: links.sign(name, Date.now() + livesMs),
    ratio,
  });
  if (script.video === "badvideo") return sign(noVideoName, config.linkMs);
  if (script.video === "deadlink") return sign(noVideoName, -1_000);
  if (script.video === "brokenlink") return sign(brokenVideoName, config.linkMs);
  const { durationSeconds } = request;
  const name = await videos.obtain({
    ...inputs,
    prompt: request.drawnPrompt,
    ...sizeOf(request.resolution, ratio),
    seconds: script.video === "wrong-length" ? Math.floor(durationSeconds / 2) : durationSeconds,
    audio: request.generateAudio,
    seed: request.seed,
  });
  return sign(name, config.linkMs);
}

async function adaptedRatio({ firstFrame, references = [] }: VideoInputs): Promise<Ratio> {
  const image = firstFrame ?? references[0];
  assert(image, "only a request with an image stays adaptive");
  return nearestRatio(await imageSize(image));
}

/** Fetches all inputs of a job, as the vendor does once it begins to work. Throws InputError. */
async function fetchInputs(parts: VideoParts, { request }: ArkJob): Promise<VideoInputs> {
  const fetched = await Promise.all(
    request.inputs.map(async ({ role, url }) => ({
      role,
      bytes: await fetchOne(parts, role, url),
    })),
  );
  const of = (role: InputRole) =>
    fetched.flatMap((input) => (input.role === role && input.bytes ? [input.bytes] : []));
  const [firstFrame] = of("first_frame");
  const [lastFrame] = of("last_frame");
  return {
    ...(firstFrame && { firstFrame }),
    ...(lastFrame && { lastFrame }),
    references: of("reference_image"),
    clips: of("reference_video"),
    audioFiles: of("reference_audio"),
  };
}

/** An asset that nobody knows stands for an image with its id; as a video or audio, for nothing. */
async function fetchOne(parts: VideoParts, role: InputRole, url: string) {
  const registered = isAsset(url) ? parts.bytesOfAsset?.(url.slice("asset://".length)) : undefined;
  if (registered) return await registered;
  const isImage = role !== "reference_video" && role !== "reference_audio";
  return isImage || !isAsset(url) ? await parts.fetchInput(url) : undefined;
}
