import { mkdirSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import type { VideoSpec, WorldSpec } from "./compose.ts";
import { readMedia } from "./read-media.ts";
import { renderVideo } from "./render-video.ts";
import { runFfmpeg, type Studio } from "./run-ffmpeg.ts";

type Render = (studio: Studio, spec: VideoSpec, path: string) => Promise<void>;

/**
 * Renders drafts: a second is painted coarsely once for each size and then repeated, with a tone as the sound.
 * A draft has the size, the length and the streams of the video, and its inputs are read as for it;
 * it costs a tenth. Only what it shows is missing.
 */
export function openDrafts(dir: string): Render {
  mkdirSync(dir, { recursive: true });
  const seconds = new Map<string, Promise<void>>();

  async function paintSecond(studio: Studio, { width, height }: WorldSpec): Promise<string> {
    const path = join(dir, `${width}x${height}.mp4`);
    const world = { prompt: "hills", seconds: 1, audio: false, seed: 1 };
    const spec = { ...world, width: coarse(width), height: coarse(height) };
    const painted = seconds.get(path) ?? renderVideo(studio, spec, path, scaleUp(width, height));
    seconds.set(path, painted);
    await painted.catch((error: unknown) => {
      seconds.delete(path);
      throw error;
    });
    return path;
  }

  return async (studio, spec, path) => {
    const folder = await mkdtemp(join(studio.workDir, "draft-"));
    try {
      await readMedia(studio, folder, spec);
      const second = await paintSecond(studio, spec);
      await runFfmpeg(studio, folder, repeat(second, spec, basename(path)));
      await rename(join(folder, "video.mp4"), path);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

const timesSmaller = 4;

function coarse(side: number): number {
  return 2 * Math.ceil(side / timesSmaller / 2);
}

/** To the exact size, with square pixels. */
function scaleUp(width: number, height: number): string[] {
  const size = ["-s", `${width}x${height}`, "-sws_flags", "neighbor"];
  return ["-preset", "ultrafast", "-bf", "0", ...size, "-aspect", `${width}:${height}`];
}

/** The name makes the bytes of each video different. */
function repeat(second: string, { seconds, audio }: WorldSpec, name: string): string[] {
  const tone = ["-f", "lavfi", "-i", `sine=f=220:r=16000:d=${seconds}`];
  return [
    ...["-hide_banner", "-nostdin", "-loglevel", "error", "-y"],
    ...["-stream_loop", String(seconds - 1), "-i", second, ...(audio ? tone : [])],
    ...["-map", "0:v", "-c:v", "copy"],
    ...(audio ? ["-map", "1:a", "-c:a", "aac", "-b:a", "48k", "-ac", "1"] : []),
    ...["-metadata", `comment=${name}`, "-fflags", "+bitexact", "-movflags", "+faststart"],
    ...["-t", String(seconds), "-f", "mp4", "video.mp4"],
  ];
}
