export type FileType = "IMAGE" | "VIDEO" | "AUDIO";

/** The inputs that name files, and what the files must be. */
export const fileInputs = { urls: "IMAGE", videoUrls: "VIDEO", audioUrls: "AUDIO" } as const;
export type FileInput = keyof typeof fileInputs;

/** The requirements on a file that serves as an input. Omitted properties are not limited. */
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

/** The formats that any input takes, and their media types. */
export const mediaTypes = {
  IMAGE: { jpeg: "image/jpeg", png: "image/png", webp: "image/webp", bmp: "image/bmp" },
  VIDEO: { mp4: "video/mp4", mov: "video/quicktime", webm: "video/webm" },
  AUDIO: { wav: "audio/wav", mp3: "audio/mpeg" },
} as const satisfies Record<FileType, Record<string, string>>;

export const bytesPerMegabyte = 1024 * 1024;

/** The default size limit of a file at a web address, which is fetched while the task waits. */
export const fetchedMegabytesMax = 50;
