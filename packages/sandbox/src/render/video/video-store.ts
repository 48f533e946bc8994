import { createHash } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { createGate } from "../../kit/gate.ts";
import { openKeptFiles } from "../kept-files.ts";
import { openDrafts } from "./render-draft.ts";
import { renderVideo } from "./render-video.ts";
import type { Studio } from "./run-ffmpeg.ts";
import type { VideoSpec } from "./spec.ts";

/** Change it when videos of the same spec come out differently, so that old ones are not reused. */
const recipeVersion = 4;

export interface VideoStore {
  /** The name of the video, rendered unless the disk has it already. */
  obtain(spec: VideoSpec): Promise<string>;
  /** Other work of ffmpeg, which counts among the renders at a time. */
  inTurn<T>(work: (studio: Studio) => Promise<T>): Promise<T>;
  /** Runs other work of ffmpeg like `inTurn`, but before all videos that wait: a call stays open for it. */
  inFirstTurn<T>(work: (studio: Studio) => Promise<T>): Promise<T>;
  pathOf(name: string): string;
  stats(): { rendered: number; reused: number; rendering: number; waiting: number };
  /** Ends every ffmpeg and waits until the last is gone. */
  stop(): Promise<void>;
}

/** Videos on disk by what they show; at most `rendersMax` are rendered at a time, the rest wait. */
export function openVideoStore(dir: string, rendersMax: number, isDraft = false): VideoStore {
  const workDir = join(dir, "work");
  rmSync(workDir, { recursive: true, force: true }); // left by a killed sandbox
  mkdirSync(workDir, { recursive: true });
  const studio: Studio = { workDir, children: new Set(), stopped: false, isDraft };
  const gate = createGate(rendersMax);
  const videos = openKeptFiles(join(dir, "videos"));
  const render = isDraft ? openDrafts(join(dir, "drafts")) : renderVideo;
  return {
    async obtain(spec) {
      const make = (path: string) => gate.pass(() => render(studio, spec, path));
      return basename(await videos.obtain(videoName(spec), make));
    },
    inTurn: (work) => gate.pass(() => work(studio)),
    inFirstTurn: (work) => gate.pass(() => work(studio), { isFirst: true }),
    pathOf: videos.pathOf,
    stats() {
      const { inside: rendering, waiting } = gate.stats();
      return { ...videos.stats(), rendering, waiting };
    },
    async stop() {
      studio.stopped = true;
      for (const child of studio.children) child.kill("SIGKILL");
      await videos.settle();
    },
  };
}

function videoName(spec: VideoSpec): string {
  const { prompt, width, height, seconds, audio, seed } = spec;
  const { firstFrame, lastFrame, references = [], clips = [], audioFiles = [] } = spec;
  const frames = [firstFrame, lastFrame].map((bytes) => bytes && sha256(bytes));
  const others = [references, clips, audioFiles].map((list) => list.map(sha256));
  const made = [prompt, width, height, seconds, audio, seed];
  const key = JSON.stringify([recipeVersion, ...made, ...frames, ...others]);
  return `${sha256(key).slice(0, 32)}.mp4`;
}

function sha256(bytes: Buffer | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
