import type { FileInput, FileType } from "./file-rules.ts";
import type { OutputRef } from "./output-ref.ts";

/** The request to a model: checked, in normal form, with its defaults filled in. Stored with the task. */
export type ModelRequest = VideoRequest | ImageRequest;

/**
 * A file that the caller named: a web address in its normal form, an asset of the library, or the output
 * of a task. Stored with the task.
 */
export type MediaRef =
  | { url: string; asset?: never; task?: never }
  | { asset: string; url?: never; task?: never }
  | (OutputRef & { url?: never; asset?: never });

export type OutputResolution = `${number}p`;
export type UpscaleResolution = "1080p" | "2k" | "4k";

/** The fields that the requests to all video models share. A model adds those that its vendor needs. */
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

/** The fields that the requests to all image models share. */
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

/** Those of these files that are outputs of tasks. */
export function outputsOf(refs: readonly MediaRef[]): OutputRef[] {
  return refs.flatMap((ref) => (ref.task === undefined ? [] : [ref]));
}
