import type { ModelRequest } from "./request.ts";

export type FileType = "IMAGE" | "VIDEO" | "AUDIO";

/** What a file must be to serve as an input. What is left out is not limited. */
export interface FileRules {
  shortSidePixelsMin?: number;
  longSidePixelsMax?: number;
  /** Long side over short side, as a fraction: 5 / 2 is 2.5. */
  ratioMax?: readonly [long: number, short: number];
  sizeMegabytesMax?: number;
  formats?: readonly string[];
  videoCodecs?: readonly string[];
  durationSecondsMax?: number;
}

export const bytesPerMegabyte = 1024 * 1024;

/** Of a file at a web address, where the mode says nothing: it is fetched while the task waits. */
export const fetchedMegabytesMax = 50;

/** Ark takes no longer side. It would say so only after the task has waited for its turn. */
const arkSidePixelsMax = 6_000;

const sd2Frames: FileRules = { longSidePixelsMax: arkSidePixelsMax };
const sd2References: FileRules = { ...sd2Frames, shortSidePixelsMin: 400 };
const sd2Videos: FileRules = {
  durationSecondsMax: 15,
  formats: ["mp4", "mov"],
  videoCodecs: ["h264", "hevc"], // Ark decodes no other
};
const sd2Audios: FileRules = { durationSecondsMax: 15, formats: ["wav", "mp3"] };
const happyhorseImages: FileRules = {
  shortSidePixelsMin: 300,
  ratioMax: [5, 2],
  sizeMegabytesMax: 10,
  formats: ["jpeg", "png", "bmp", "webp"],
};
const editImages: FileRules = {
  shortSidePixelsMin: 256,
  ratioMax: [3, 1],
  sizeMegabytesMax: 50,
  formats: ["jpeg", "png", "webp"],
};

/** The rules of a mode for its files of a type. */
export function fileRulesOf(
  { model, mode }: { model: ModelRequest["model"]; mode: string },
  type: FileType,
): FileRules {
  switch (model) {
    case "happyhorse":
      return happyhorseImages;
    case "image-pro-2":
    case "image-plus-2":
      return editImages;
    default:
      if (type === "VIDEO") return sd2Videos;
      if (type === "AUDIO") return sd2Audios;
      return mode === "reference" ? sd2References : sd2Frames;
  }
}

/** What a vendor takes of the images that its model takes. The others are converted or scaled for it. */
export interface VendorImageRules {
  formats: readonly string[];
  shortSidePixelsMin: number;
  sizeBytesMax: number;
}

const happyhorseReferenceSideMin = 400;

/** `null`: the vendor takes whatever the model takes. */
export function vendorImageRulesOf({ model, mode }: ModelRequest): VendorImageRules | null {
  if (model !== "happyhorse") return null;
  const isReference = mode === "reference-to-video";
  return {
    formats: ["jpeg", "png", "webp"],
    shortSidePixelsMin: isReference ? happyhorseReferenceSideMin : 300,
    sizeBytesMax: 10 * bytesPerMegabyte,
  };
}
