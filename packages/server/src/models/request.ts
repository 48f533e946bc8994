import type { FileInput, FileType } from "./file-rules.ts";

/** What a model was asked for: checked, in normal form, with its defaults filled in. Stored with the task. */
export type ModelRequest = VideoRequest | ImageRequest;

/**
 * A file that the caller named: a web address in its normal form, or an asset of the library. Stored
 * with the task.
 */
export type MediaRef = { url: string; asset?: never } | { asset: string; url?: never };

export type OutputResolution = `${number}p`;
export type UpscaleResolution = "1080p" | "2k" | "4k";

/** What every model for videos has in common. A model adds what its vendor needs. */
export interface VideoRequest {
  kind: "video";
  model: string;
  mode: string;
  prompt: string | null;
  /** The prompt is only the beginning of what was given: the model reads this many units of it. */
  promptCut?: { unitsMax: number };
  images: MediaRef[];
  videos: MediaRef[];
  /** Whole seconds of each of `videos`, rounded up; empty until the assets are resolved. */
  videoSeconds: number[];
  audios: MediaRef[];
  durationSeconds: number;
  outputResolution: OutputResolution;
  upscaleResolution: UpscaleResolution | null;
  /** `null` lets the model choose. */
  ratio: string | null;
}

/** What every model for images has in common. */
export interface ImageRequest {
  kind: "image";
  model: string;
  mode: string;
  prompt: string;
  images: MediaRef[];
  resolution: `${number}k`;
  aspectRatio: string;
  /** `null` where the model offers no choice. */
  quality: string | null;
  outputFormat: string | null;
}

interface NamedFile {
  input: FileInput;
  param: string;
  type: FileType;
  ref: MediaRef;
}

/** Every file of a request, with the input that named it. */
export function mediaOf(request: ModelRequest): NamedFile[] {
  const named = (input: FileInput, type: FileType, refs: readonly MediaRef[]) =>
    refs.map((ref, index) => ({ input, param: `inputs.${input}[${index}]`, type, ref }));
  const images = named("urls", "IMAGE", request.images);
  if (request.kind === "image") return images;
  return [
    ...images,
    ...named("videoUrls", "VIDEO", request.videos),
    ...named("audioUrls", "AUDIO", request.audios),
  ];
}
