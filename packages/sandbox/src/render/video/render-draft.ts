import { mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { openKeptFiles } from "../kept-files.ts";
import { readMedia } from "./read-media.ts";
import { renderVideo } from "./render-video.ts";
import { runFfmpeg, type Studio } from "./run-ffmpeg.ts";
import type { VideoSpec, WorldSpec } from "./spec.ts";

type Render = (studio: Studio, spec: VideoSpec, path: string) => Promise<void>;

/**
 * Renders drafts: a second is painted coarsely once for each size, and repeated once for each length, with a
 * tone as the sound. A draft has the size, the length and the streams of the video, and its inputs are read
 * as for it; it costs a copy. Only what it shows is missing.
 */
export function openDrafts(dir: string): Render {
  const drafts = openKeptFiles(dir);

  function paintSecond(studio: Studio, { width, height }: WorldSpec): Promise<string> {
    const scene = { prompt: "hills", seconds: 1, audio: false, seed: 1 };
    const spec = { ...scene, width: coarse(width), height: coarse(height) };
    return drafts.obtain(`${width}x${height}.mp4`, (path) =>
      renderVideo(studio, spec, path, scaleUp(width, height)),
    );
  }

  function repeatSecond(studio: Studio, folder: string, spec: WorldSpec): Promise<string> {
    const { width, height, seconds, audio } = spec;
    const name = `${width}x${height}-${seconds}s-${audio ? "audio" : "silent"}.mp4`;
    return drafts.obtain(name, async (path) => {
      const second = await paintSecond(studio, spec);
      await runFfmpeg(studio, folder, repeat(second, spec));
      await rename(join(folder, "video.mp4"), path);
    });
  }

  return async (studio, spec, path) => {
    const folder = await mkdtemp(join(studio.workDir, "draft-"));
    try {
      await readMedia(studio, folder, spec);
      const draft = await readFile(await repeatSecond(studio, folder, spec));
      const named = join(folder, "named.mp4");
      await writeFile(named, withName(draft, basename(path)));
      await rename(named, path);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

/** An MP4 whose bytes no other has: its name follows in a box that players skip. */
function withName(draft: Buffer, name: string): Buffer {
  const box = Buffer.from(`\0\0\0\0free${name}`, "latin1");
  box.writeUInt32BE(box.length);
  return Buffer.concat([draft, box]);
}

/** A quarter of the side, and even. */
const coarse = (side: number) => 2 * Math.ceil(side / 8);

/** Returns the arguments that scale to the exact size, with square pixels. */
function scaleUp(width: number, height: number): string[] {
  const size = ["-s", `${width}x${height}`, "-sws_flags", "neighbor"];
  return ["-preset", "ultrafast", "-bf", "0", ...size, "-aspect", `${width}:${height}`];
}

function repeat(second: string, { seconds, audio }: WorldSpec): string[] {
  const tone = ["-f", "lavfi", "-i", `sine=f=220:r=16000:d=${seconds}`];
  return [
    "-hide_banner",
    "-nostdin",
    "-loglevel",
    "error",
    "-y",
    "-stream_loop",
    String(seconds - 1),
    "-i",
    second,
    ...(audio ? tone : []),
    "-map",
    "0:v",
    "-c:v",
    "copy",
    ...(audio ? ["-map", "1:a", "-c:a", "aac", "-b:a", "48k", "-ac", "1"] : []),
    "-fflags",
    "+bitexact",
    "-movflags",
    "+faststart",
    "-t",
    String(seconds),
    "-f",
    "mp4",
    "video.mp4",
  ];
}
