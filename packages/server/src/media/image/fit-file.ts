import { writeFile } from "node:fs/promises";
import { fitImage, type Image, type ImageFault } from "./fit-image.ts";

/**
 * A local image of at most `sizeBytesMax`: the file itself if it fits, otherwise a copy at `copyPath`.
 * A fault is the file's; internal failures throw.
 */
export async function fitFile(
  path: string,
  sizeBytesMax: number,
  copyPath: string,
): Promise<Image | ImageFault> {
  const fitted = await fitImage(path, sizeBytesMax);
  if (fitted.kind !== "bytes") return fitted;
  await writeFile(copyPath, fitted.bytes);
  return { kind: "file", path: copyPath, contentType: fitted.contentType };
}
