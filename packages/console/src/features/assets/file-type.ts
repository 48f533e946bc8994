export const assetTypes = ["IMAGE", "VIDEO", "AUDIO"] as const;
export type AssetType = (typeof assetTypes)[number];

const megabyte = 1024 * 1024;
/** The most that the service takes. */
const fileBytesMax = 200 * megabyte;
export const formBytesMax = 10 * megabyte;
export const fileLimit = formatLimit(fileBytesMax);

/** The limits of the service are round numbers of its megabytes. */
export function formatLimit(bytes: number): string {
  return `${Math.round(bytes / megabyte)} MB`;
}

export const formTypes = "application/pdf,image/png,image/jpeg,image/webp";

const endings: Readonly<Record<string, AssetType>> = {
  jpg: "IMAGE",
  jpeg: "IMAGE",
  png: "IMAGE",
  webp: "IMAGE",
  bmp: "IMAGE",
  gif: "IMAGE",
  mp4: "VIDEO",
  mov: "VIDEO",
  webm: "VIDEO",
  mkv: "VIDEO",
  mp3: "AUDIO",
  wav: "AUDIO",
  m4a: "AUDIO",
  flac: "AUDIO",
  ogg: "AUDIO",
};

/**
 * Returns the type by the name or by the browser's media type; the service looks at the bytes.
 * Null: none of the three.
 */
export function typeOfFile({ type, name }: { type: string; name: string }): AssetType | null {
  const kind = type.split("/")[0]?.toUpperCase();
  const named = assetTypes.find((one) => one === kind);
  return named ?? endings[name.split(".").at(-1)?.toLowerCase() ?? ""] ?? null;
}

export type FileFault = "type" | "empty" | "size";

/** Why a file need not be sent at all. */
export function faultOf(file: File): FileFault | null {
  if (typeOfFile(file) === null) return "type";
  if (file.size === 0) return "empty";
  return file.size > fileBytesMax ? "size" : null;
}
