import type { Media } from "../form/read-forms.ts";

export type FileFault = "type" | "size";

/** The type of a file, also where the browser does not know it. */
export function takesFile({ mediaTypes }: Media, { type, name }: File): boolean {
  if (type !== "") return mediaTypes.includes(type);
  const end = name.split(".").at(-1)?.toLowerCase() ?? "";
  return mediaTypes.some((mediaType) => mediaType.endsWith(`/${end}`));
}

/** Why a file need not be sent at all; what is inside is judged by the service. */
export function faultOf(media: Media, file: File): FileFault | null {
  if (!takesFile(media, file)) return "type";
  return file.size > (media.sizeBytesMax ?? Number.POSITIVE_INFINITY) ? "size" : null;
}
