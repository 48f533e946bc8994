import type {
  Experimental_VideoModelV4CallOptions as CallOptions,
  Experimental_VideoModelV4File as VideoFile,
} from "@ai-sdk/provider";
import { newer, type VideoTraits } from "./model-traits.ts";

export interface VideoFiles {
  images: VideoFile[];
  videos: VideoFile[];
  audios: VideoFile[];
  /** The inputs that select the mode for these files. */
  mode: Readonly<Record<string, string>>;
  hasFirstFrame: boolean;
  hasReferences: boolean;
}

type Kind = "image" | "video" | "audio";
type Warn = (feature: string, details: string) => void;

/** Frames, or references: no model takes both. */
export function mapVideoFiles(traits: VideoTraits, options: CallOptions, warn: Warn): VideoFiles {
  const { image, frameImages = [], inputReferences = [] } = options;
  const last = frameImages.find(({ frameType }) => frameType === "last_frame")?.image;
  const first = image ?? frameImages.find(({ frameType }) => frameType === "first_frame")?.image;
  const references = {
    image: [] as VideoFile[],
    video: [] as VideoFile[],
    audio: [] as VideoFile[],
  };
  for (const reference of inputReferences) {
    const kind = kindOf(reference);
    if (traits.references.includes(kind)) references[kind].push(reference);
    else warn("inputReferences", `takes no ${kind} as a reference: it is left out.`);
  }
  const hasReferences = references.image.length + references.video.length > 0;
  if (!hasReferences && references.audio.length > 0)
    warn("inputReferences", "takes audio only beside an image or a video: it is left out.");
  if (!hasReferences) return { ...mapFrames(traits, first, last, warn), videos: [], audios: [] };
  if (first !== undefined || last !== undefined)
    warn("image", "takes no frames beside references: they are used as references.");
  if (traits.referenceMode === null)
    warn(
      "inputReferences",
      `${newer} the input that selects references in providerOptions.zoetrope.`,
    );
  const frames = [first, last].filter((frame) => frame !== undefined);
  return {
    images: [...frames, ...references.image],
    videos: references.video,
    audios: references.audio,
    mode: traits.referenceMode ?? {},
    hasFirstFrame: false,
    hasReferences,
  };
}

function mapFrames(
  { hasLastFrame }: VideoTraits,
  first: VideoFile | undefined,
  last: VideoFile | undefined,
  warn: Warn,
): Omit<VideoFiles, "videos" | "audios"> {
  const given = { mode: {}, hasReferences: false };
  if (last !== undefined && !hasLastFrame)
    warn("frameImages", "takes no last frame: it is left out.");
  if (first === undefined) {
    if (last !== undefined && hasLastFrame)
      warn("frameImages", "takes a last frame only with a first one: it is left out.");
    return { ...given, images: [], hasFirstFrame: false };
  }
  const images = last !== undefined && hasLastFrame ? [first, last] : [first];
  return { ...given, images, hasFirstFrame: true };
}

/** Returns the kind of a file by its media type, or else by the ending of its address. */
function kindOf(file: VideoFile): Kind {
  const { mediaType } = file;
  const [top] = (mediaType ?? "").split("/");
  if (top === "image" || top === "video" || top === "audio") return top;
  const path = file.type === "url" && URL.canParse(file.url) ? new URL(file.url).pathname : "";
  if (/\.(mp4|m4v|mov|webm)$/i.test(path)) return "video";
  if (/\.(mp3|wav)$/i.test(path)) return "audio";
  return "image";
}
