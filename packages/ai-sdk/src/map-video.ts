import type {
  Experimental_VideoModelV4CallOptions as CallOptions,
  SharedV4Warning,
} from "@ai-sdk/provider";
import { fitRatio, sidesOf } from "./fit-ratio.ts";
import { mapVideoFiles, type VideoFiles } from "./map-video-files.ts";
import { newer, traitsOfVideoModel, type VideoTraits } from "./model-traits.ts";

export interface MappedVideo extends VideoFiles {
  inputs: Record<string, unknown>;
}

const ratioUsual = "16:9";

/**
 * Returns the inputs of a task for the options of a call, with a warning for each one that the
 * model does not support.
 */
export function mapVideo(
  modelId: string,
  options: CallOptions,
  warnings: SharedV4Warning[],
): MappedVideo {
  const traits = traitsOfVideoModel(modelId);
  const warn: Warn = (feature, details) =>
    void warnings.push({ type: "unsupported", feature, details: `${modelId} ${details}` });
  const files = mapVideoFiles(traits, options, warn);
  const { prompt, fps, seed, generateAudio } = options;
  if (fps !== undefined) warn("fps", "chooses the frame rate itself.");
  if (generateAudio !== undefined && !traits.hasAudioSwitch)
    warn("generateAudio", "has no such choice.");
  const inputs = {
    prompt,
    ...mapDuration(options, warn),
    ...mapRatio(traits, options, files, warn),
    ...mapShortSide(traits, options, warn),
    seed,
    generateAudio: traits.hasAudioSwitch ? generateAudio : undefined,
    ...files.mode,
  };
  return { ...files, inputs };
}

type Warn = (feature: string, details: string) => void;

function mapDuration({ duration }: CallOptions, warn: Warn): { duration?: string } {
  if (duration === undefined) return {};
  const seconds = Math.round(duration);
  if (seconds !== duration) warn("duration", `makes whole seconds: ${duration} became ${seconds}.`);
  return { duration: `${seconds}s` };
}

function mapRatio(
  { ratioInput, ratios, ratioFollowsFrame, needsRatioWithReferences }: VideoTraits,
  { aspectRatio, resolution }: CallOptions,
  { hasFirstFrame, hasReferences }: VideoFiles,
  warn: Warn,
): Record<string, string> {
  const feature = aspectRatio === undefined ? "resolution" : "aspectRatio";
  const wanted = aspectRatio === "adaptive" ? undefined : (aspectRatio ?? resolution);
  if (hasFirstFrame && ratioFollowsFrame) {
    if (wanted !== undefined) warn(feature, "takes the aspect ratio of the first frame.");
    return {};
  }
  if (ratios === null)
    return aspectRatio === undefined || aspectRatio === "adaptive"
      ? {}
      : { [ratioInput]: aspectRatio };
  const fitted = wanted === undefined ? undefined : fitRatio(wanted, Object.keys(ratios));
  if (fitted === undefined) {
    if (aspectRatio === "adaptive" && hasReferences)
      warn("aspectRatio", "does not take the aspect ratio of references.");
    if (!(hasReferences && needsRatioWithReferences)) return {};
    warn("aspectRatio", `needs one with references: ${ratioUsual} is used.`);
    return { [ratioInput]: ratios[ratioUsual] ?? ratioUsual };
  }
  if (!fitted.isExact)
    warn(feature, `has ${Object.keys(ratios).join(", ")}: ${wanted} became ${fitted.ratio}.`);
  return { [ratioInput]: ratios[fitted.ratio] ?? fitted.ratio };
}

function mapShortSide(
  { shortSides, ratios }: VideoTraits,
  { resolution }: CallOptions,
  warn: Warn,
): { outputResolution?: string } {
  const sides = resolution === undefined ? undefined : sidesOf(resolution);
  if (sides === undefined) return {};
  if (shortSides === null || ratios === null) {
    warn("resolution", `${newer} its resolution in providerOptions.zoetrope.`);
    return {};
  }
  const isNamed = Object.values(ratios).includes(resolution ?? ""); // 1280x540 is 720p in 21:9
  const wanted = isNamed ? 720 : Math.min(...sides);
  const distance = (side: number) => Math.abs(side - wanted);
  const [nearest = 720] = shortSides.toSorted((a, b) => distance(a) - distance(b));
  if (nearest !== wanted)
    warn(
      "resolution",
      `renders ${shortSides.map((side) => `${side}p`).join(" and ")}: ${resolution} became ${nearest}p. For more, set providerOptions.zoetrope.upscaleResolution.`,
    );
  return { outputResolution: `${nearest}p` };
}
