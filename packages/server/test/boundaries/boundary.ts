import type { FileRules, FileType } from "../../src/models/file-rules.ts";
import type { ModelRequest } from "../../src/models/request.ts";

/** A file by what is measured of it. */
export interface Sample {
  format: keyof typeof formats;
  width?: number;
  height?: number;
  sizeBytes?: number;
  durationMs?: number;
  videoCodec?: string;
}

/** `null`: nothing that anybody here reads. */
export const formats = {
  png: { type: "IMAGE", contentType: "image/png" },
  jpeg: { type: "IMAGE", contentType: "image/jpeg" },
  webp: { type: "IMAGE", contentType: "image/webp" },
  bmp: { type: "IMAGE", contentType: "image/bmp" },
  gif: null,
  wav: { type: "AUDIO", contentType: "audio/wav" },
  mp3: { type: "AUDIO", contentType: "audio/mpeg" },
  ogg: null,
  mp4: { type: "VIDEO", contentType: "video/mp4" },
  mov: { type: "VIDEO", contentType: "video/quicktime" },
  webm: { type: "VIDEO", contentType: "video/webm" },
} as const satisfies Record<string, { type: FileType; contentType: string } | null>;

/** One of the lists of files that a mode takes. */
export interface FileInput {
  model: ModelRequest["model"];
  mode: string;
  input: "urls" | "videoUrls" | "audioUrls";
}

/** A rule for every file at a place, with files on both sides of it. */
export interface Boundary extends FileInput {
  rule: keyof FileRules;
  /**
   * The ways to name the file: rules for files that cannot be assets, or cannot be passed by address, are
   * one-sided.
   */
  via: readonly ("asset" | "address")[];
  taken: readonly Sample[];
  refused: readonly Sample[];
  /** A part of the sentence that refuses. */
  message: string;
}

export const megabyte = 1024 * 1024;

/** An image that every mode takes. */
export const goodImage: Sample = { format: "png", width: 400, height: 400 };

const reference = { videoInputMode: "reference", resolution: "1280x720" };

/** Inputs that name `link` at the place, last after what has to stand before it, and its path there. */
export function inputsAt(
  { model, mode, input }: FileInput,
  link: string,
  good: string,
): { inputs: Record<string, unknown>; param: string } {
  const prompt = "a fox";
  switch (mode) {
    case "image-to-video":
      return { inputs: { prompt, urls: [link] }, param: "inputs.urls[0]" };
    case "keyframe":
      return { inputs: { prompt, urls: [good, link] }, param: "inputs.urls[1]" };
    case "reference-to-video": {
      const inputs = { prompt, videoWorkflowTab: "multi-reference", urls: [good, good, link] };
      return { inputs, param: "inputs.urls[2]" };
    }
    case "edit":
      return { inputs: { prompt, urls: [good, good, link] }, param: "inputs.urls[2]" };
    case "reference": {
      const before = input === "urls" ? [good, good] : [];
      const images = input === "urls" ? {} : { urls: [good] };
      const inputs = { ...reference, prompt, ...images, [input]: [...before, link] };
      return { inputs, param: `inputs.${input}[${before.length}]` };
    }
    default:
      throw new Error(`${model} has a mode ${mode} for which there are no boundaries yet`);
  }
}
