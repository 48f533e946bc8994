export type MediaType = "IMAGE" | "VIDEO" | "AUDIO";

/** A file of a user, and what must come of it. */
export interface MediaFile {
  /** Also its address at the file server. */
  name: string;
  /** The type that its upload names. */
  declaredType: MediaType;
  body: Buffer;
  /** Zeros that are sent after the body: they need not be in memory. */
  zerosAfter?: number;
  contentType?: string;
  /** What the header claims instead of the truth; "none" sends it in chunks. */
  contentLength?: number | "none";
  /** What every fetch but the first is answered with. */
  bodyLater?: Buffer;
  upload: Outcome;
  /** As an input of tasks; left out: the entry point of its type, and what follows from the upload. */
  trials?: Trial[];
}

export interface Facts {
  width: number | null;
  height: number | null;
  seconds: number | null;
  /** Of the stored copy: the detected format. */
  ending: string;
}

export type Outcome = { kind: "accepted"; facts: Facts } | { kind: "refused"; reason: string };

/** Where tasks take files. */
export type EntryPoint =
  | "sd2 frame"
  | "sd2 reference"
  | "sd2 video"
  | "sd2 audio"
  | "happyhorse"
  | "image-pro-2"
  | "image-plus-2";

/** One use of a file. `fault` is a part of the error message; null: it is accepted. */
export interface Trial {
  entryPoint: EntryPoint;
  /** Its own address, or the asset that the upload made. */
  via: "url" | "asset";
  fault: string | null;
}

const unknownToTasks = "is not a supported file type or is damaged";

export const broken: Outcome = {
  kind: "refused",
  reason: "The file is not a supported image, video or audio file, or is damaged.",
};

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
    return { entryPoint: "sd2 video", via: "asset", fault: tooLong(upload.facts) };
  }
  const entryPoint = declaredType === "IMAGE" ? "sd2 frame" : "sd2 audio";
  if (upload.kind === "accepted")
    return {
      entryPoint,
      via: "url",
      fault: (declaredType === "AUDIO" ? tooLong : tooWide)(upload.facts),
    };
  const mistake = /of type (\w+), but was uploaded as (\w+)/.exec(upload.reason);
  const fault =
    mistake === null ? unknownToTasks : `must be of type ${mistake[2]}, but is ${mistake[1]}`;
  return { entryPoint, via: "url", fault };
}

function tooLong({ seconds }: Facts): string | null {
  return (seconds ?? 0) > secondsMax ? `must be at most 15 s long, but is ${seconds} s` : null;
}

function tooWide({ width, height }: Facts): string | null {
  return Math.max(width ?? 0, height ?? 0) > framePixelsMax
    ? `must be at most ${framePixelsMax} px on its longest side`
    : null;
}
