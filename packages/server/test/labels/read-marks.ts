import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { activeOf, codesOf, readWithWasm } from "../../../signer/test/read-with-wasm.ts";

const run = promisify(execFile);

interface Marks {
  /** As ffprobe reads it; null: none. */
  label: Record<string, string> | null;
  /** As exiftool reads it, of an MP4. */
  exifLabel: Record<string, string> | null;
  signature: { state: string; ingredients: string[][] } | null;
}

/** Reads the marks of a file with programs that wrote none of them. */
export async function readMarksOutside(
  path: string,
  contentType: string,
  root: string,
): Promise<Marks> {
  const [probed, exif, signature] = await Promise.all([
    run("ffprobe", ["-v", "error", "-of", "json", "-show_entries", "format_tags", path]),
    run("exiftool", ["-j", "-G1", path]),
    readSignature(path, contentType, root),
  ]);
  const { format = {} } = JSON.parse(probed.stdout) as { format?: { tags?: { AIGC?: string } } };
  const [tags] = JSON.parse(exif.stdout) as Record<string, string>[];
  return {
    label: parse(format.tags?.AIGC),
    exifLabel: parse(tags?.["Keys:AIGC"]),
    signature,
  };
}

/** The state, or why there is none, and the failures of each ingredient; null: there is no manifest. */
export async function readSignature(path: string, contentType: string, root: string) {
  if (contentType === "video/webm") return null; // it has no place for one
  try {
    const store = await readWithWasm(path, contentType, root);
    const ingredients = (activeOf(store).ingredients ?? []).map((one) =>
      codesOf(one.validation_results?.activeManifest.failure ?? []),
    );
    return { state: store.validation_state, ingredients };
  } catch (error) {
    const fault = String(error);
    return fault.includes("JumbfNotFound") ? null : { state: fault, ingredients: [] };
  }
}

/** Changes one bit in the middle of a file. */
export async function flipBit(path: string, copy: string): Promise<void> {
  const bytes = await readFile(path);
  const at = bytes.indexOf("mdat") + Math.floor((bytes.length - bytes.indexOf("mdat")) / 2);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  await writeFile(copy, bytes);
}

function parse(text: string | undefined): Record<string, string> | null {
  return text === undefined ? null : JSON.parse(String(text));
}
