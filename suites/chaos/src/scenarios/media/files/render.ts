import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Makes files with ffmpeg in a folder of the run. */
export interface Renderer {
  render(name: string, ...args: string[]): Promise<Buffer>;
}

export function openRenderer(dir: string): Renderer {
  return {
    async render(name, ...args) {
      const path = join(dir, name);
      await run("ffmpeg", ["-nostdin", "-loglevel", "error", "-y", ...args, path]);
      return readFile(path);
    },
  };
}

/** A moving image as ffmpeg's input. */
export function moving(width: number, height: number, rate: number, seconds: number): string[] {
  return ["-f", "lavfi", "-i", `testsrc=s=${width}x${height}:r=${rate}:d=${seconds}`];
}

export function tone(seconds: number): string[] {
  return ["-f", "lavfi", "-i", `sine=frequency=440:duration=${seconds}`];
}

export const h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];
