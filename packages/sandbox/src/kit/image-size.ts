import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { InputError } from "./input-error.ts";
import { untrustedInput } from "./media-formats.ts";

const run = promisify(execFile);
const probeMsMax = 20_000;

/** The size of an untrusted image. Throws InputError when it is not an image. */
export async function imageSize(bytes: Buffer): Promise<{ width: number; height: number }> {
  const input = untrustedInput("image", bytes);
  const answer = input && (await askFfprobe(input, bytes));
  const [, width, height] = answer?.match(/^(\d+)x(\d+)\s*$/) ?? [];
  if (Number(width) > 0 && Number(height) > 0) {
    return { width: Number(width), height: Number(height) };
  }
  throw new InputError(
    "input_unusable",
    "The image cannot be parsed or its format is unsupported.",
  );
}

async function askFfprobe(input: string[], bytes: Buffer): Promise<string> {
  const asked = ["-show_entries", "stream=width,height", "-of", "csv=p=0:s=x"];
  const folder = await mkdtemp(join(tmpdir(), "sandbox-image-"));
  try {
    await writeFile(join(folder, "input"), bytes);
    const args = ["-v", "quiet", "-select_streams", "v:0", ...asked, ...input];
    const options = { cwd: folder, timeout: probeMsMax, killSignal: "SIGKILL" } as const;
    const { stdout } = await run("ffprobe", args, options).catch(() => ({ stdout: "" }));
    return stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
