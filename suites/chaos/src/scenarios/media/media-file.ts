export type MediaType = "IMAGE" | "VIDEO" | "AUDIO";

/** A file of a user, and what must come of it. */
export interface MediaFile {
  /** The name, which is also its address at the file server. */
  name: string;
  /** The type that its upload names. */
  declaredType: MediaType;
  body: Buffer;
  /** Zeros that are sent after the body: they need not be in memory. */
  zerosAfter?: number;
  contentType?: string;
  /** The false length that the header declares; "none" sends it in chunks. */
  contentLength?: number | "none";
  /** The body of the response to every fetch but the first. */
  bodyLater?: Buffer;
  upload: Outcome;
  /**
   * The trials as an input of tasks. Default: the entry point of its type, and what follows from
   * the upload.
   */
  trials?: Trial[];
}

interface Facts {
  width: number | null;
  height: number | null;
  seconds: number | null;
  /** The ending of the stored copy: the detected format. */
  ending: string;
}

export type Outcome = { kind: "accepted"; facts: Facts } | { kind: "refused"; reason: string };

/** The entry points at which tasks take files. */
export type EntryPoint =
  | "sd2 frame"
  | "sd2 reference"
  | "sd2 video"
  | "sd2 audio"
  | "happyhorse"
  | "image-pro-2"
  | "image-plus-2";

/** One use of a file. `fault` is found in the error message; null: it is accepted. */
export interface Trial {
  entryPoint: EntryPoint;
  /** The way in which the task names it: its own address, or the asset that the upload made. */
  via: "url" | "asset";
  fault: string | null;
  /** Whether the vendor is given another file that shows the same. */
  isConverted?: boolean;
}

/** `predicate` is said of the file, by its upload and by a task that names it. */
export function refused(predicate: string): Outcome {
  return { kind: "refused", reason: `The file ${predicate}.` };
}

export const damaged = refused("is damaged");
export const unknownType = refused("is not an image, video or audio file of a supported type");
export const animated = refused("is animated; send a single image");
export const gif = refused("is a GIF image, which is not supported; send JPEG, PNG or WebP");
export const refersElsewhere = refused("refers to media in other files, which is not supported");

export function image(width: number, height: number, ending: string): Outcome {
  return { kind: "accepted", facts: { width, height, seconds: null, ending } };
}

export function video(width: number, height: number, seconds: number, ending: string): Outcome {
  return { kind: "accepted", facts: { width, height, seconds, ending } };
}

export function audio(seconds: number, ending: string): Outcome {
  return { kind: "accepted", facts: { width: null, height: null, seconds, ending } };
}

export function mistaken(is: MediaType, declaredType: MediaType): Outcome {
  return {
    kind: "refused",
    reason: `The file is of type ${is}, but was uploaded as ${declaredType}.`,
  };
}

/** The uses that are tried of every file of a type, with what its upload lets expect. */
export function trialsOf(file: MediaFile): Trial[] {
  return file.trials ?? [usual(file)];
}

const secondsMax = 15;
const framePixelsMax = 6_000;

function usual({ declaredType, upload }: MediaFile): Trial {
  if (declaredType === "VIDEO") {
    if (upload.kind === "refused")
      return { entryPoint: "sd2 video", via: "asset", fault: "the asset did not pass its review" };
    return { entryPoint: "sd2 video", via: "asset", fault: wrongFor(upload.facts) };
  }
  const entryPoint = declaredType === "IMAGE" ? "sd2 frame" : "sd2 audio";
  if (upload.kind === "accepted")
    return {
      entryPoint,
      via: "url",
      fault: (declaredType === "AUDIO" ? tooLong : tooWide)(upload.facts),
    };
  const mistake = /of type (\w+), but was uploaded as (\w+)/.exec(upload.reason);
  const predicate = upload.reason.replace(/^The file (.*)\.$/, "$1");
  const fault =
    mistake === null ? predicate : `must be of type ${mistake[2]}, but is ${mistake[1]}`;
  return { entryPoint, via: "url", fault };
}

function wrongFor(facts: Facts): string | null {
  return facts.ending === "webm" ? "must be mp4 or mov, but is webm" : tooLong(facts);
}

function tooLong({ seconds }: Facts): string | null {
  return (seconds ?? 0) > secondsMax ? `must be at most 15 s long, but is ${seconds} s` : null;
}

function tooWide({ width, height }: Facts): string | null {
  return Math.max(width ?? 0, height ?? 0) > framePixelsMax
    ? `must be at most ${framePixelsMax} px on its longest side`
    : null;
}
