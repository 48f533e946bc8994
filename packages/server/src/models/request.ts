/** What a model was asked for: checked, in normal form, with its defaults filled in. Stored with the task. */
export type ModelRequest = Sd2Request | HappyhorseRequest | ImageRequest;

/** A file that the caller named: a web address in its normal form, or an asset of the library. */
export type MediaRef = { url: string } | { asset: string };

export type OutputResolution = "720p" | "1080p";
export type UpscaleResolution = "1080p" | "2k" | "4k";

interface VideoRequest {
  prompt: string | null;
  images: MediaRef[];
  durationSeconds: number;
  outputResolution: OutputResolution;
  upscaleResolution: UpscaleResolution | null;
  /** `null` is random. */
  seed: number | null;
}

export interface Sd2Request extends VideoRequest {
  model: "sd2" | "sd2-fast";
  mode: "text-to-video" | "image-to-video" | "keyframe" | "reference";
  videos: MediaRef[];
  /** Whole seconds of each of `videos`, rounded up; empty until the assets are resolved. */
  videoSeconds: number[];
  audios: MediaRef[];
  /** `null` lets the model choose. */
  ratio: "1:1" | "3:4" | "4:3" | "16:9" | "9:16" | "21:9" | null;
  generateAudio: boolean;
}

export interface HappyhorseRequest extends VideoRequest {
  model: "happyhorse";
  mode: "text-to-video" | "image-to-video" | "reference-to-video";
  /** The prompt is only the beginning of what was given. */
  promptCut?: true;
  /** `null` lets the model choose; image-to-video always follows its first frame. */
  ratio: "16:9" | "9:16" | "1:1" | "4:3" | "3:4" | null;
}

export interface ImageRequest {
  model: "image-pro-2" | "image-plus-2";
  mode: "text-to-image" | "edit";
  prompt: string;
  images: MediaRef[];
  resolution: "1k" | "2k" | "4k";
  aspectRatio: string;
  /** Only `image-pro-2` has a choice. */
  quality: "medium" | "high" | null;
  outputFormat: "png" | "jpeg" | "webp" | null;
}

/** Every file of a request, with the input that named it. */
export function mediaOf(request: ModelRequest) {
  const named = (param: string, type: "IMAGE" | "VIDEO" | "AUDIO", refs: MediaRef[]) =>
    refs.map((ref, index) => ({ param: `inputs.${param}[${index}]`, type, ref }));
  return [
    ...named("urls", "IMAGE", request.images),
    ...("videos" in request ? named("videoUrls", "VIDEO", request.videos) : []),
    ...("audios" in request ? named("audioUrls", "AUDIO", request.audios) : []),
  ];
}
