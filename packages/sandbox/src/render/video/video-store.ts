import { createHash } from "node:crypto";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createGate } from "../../kit/gate.ts";
import type { VideoSpec } from "./compose.ts";
import { openDrafts } from "./render-draft.ts";
import { renderVideo } from "./render-video.ts";
import type { Studio } from "./run-ffmpeg.ts";

/** Change it when videos of the same spec come out differently, so that old ones are not reused. */
const recipeVersion = 3;

export interface VideoStore {
  /** The name of the video, rendered unless the disk has it already. */
  obtain(spec: VideoSpec): Promise<string>;
  /** Other work of ffmpeg, which counts among the renders at a time. */
  inTurn<T>(work: (studio: Studio) => Promise<T>): Promise<T>;
  /** The same, before all videos that wait: a call stays open for it. */
  inFirstTurn<T>(work: (studio: Studio) => Promise<T>): Promise<T>;
  pathOf(name: string): string;
  stats(): { rendered: number; reused: number; rendering: number; waiting: number };
  /** Ends every ffmpeg and waits until the last is gone. */
  stop(): Promise<void>;
}

/** Videos on disk by what they show; at most `rendersMax` are rendered at a time, the rest wait. */
export function openVideoStore(dir: string, rendersMax: number, isDraft = false): VideoStore {
  const videosDir = join(dir, "videos");
  const workDir = join(dir, "work");
  rmSync(workDir, { recursive: true, force: true }); // left by a killed sandbox
  mkdirSync(videosDir, { recursive: true });
  mkdirSync(workDir, { recursive: true });
  const studio: Studio = { workDir, children: new Set(), stopped: false, isDraft };
  const underWay = new Map<string, Promise<string>>();
  const gate = createGate(rendersMax);
  const renderOne = isDraft ? openDrafts(join(dir, "drafts")) : renderVideo;
  let [rendered, reused] = [0, 0];

  async function render(spec: VideoSpec, name: string): Promise<string> {
    try {
      await gate.pass(() => renderOne(studio, spec, join(videosDir, name)));
      rendered++;
      return name;
    } finally {
      underWay.delete(name);
    }
  }

  return {
    async obtain(spec) {
      const name = videoName(spec);
      const already = underWay.get(name);
      if (already || existsSync(join(videosDir, name))) {
        reused++;
        return already ?? name;
      }
      const work = render(spec, name);
      underWay.set(name, work);
      return work;
    },
    inTurn: (work) => gate.pass(() => work(studio)),
    inFirstTurn: (work) => gate.pass(() => work(studio), { isFirst: true }),
    pathOf: (name) => join(videosDir, name),
    stats() {
      const { inside: rendering, waiting } = gate.stats();
      return { rendered, reused, rendering, waiting };
    },
    async stop() {
      studio.stopped = true;
      for (const child of studio.children) child.kill("SIGKILL");
      await Promise.allSettled(underWay.values());
    },
  };
}

function videoName(spec: VideoSpec): string {
  const { prompt, width, height, seconds, audio, seed } = spec;
  const { firstFrame, lastFrame, references = [], clips = [], audioFiles = [] } = spec;
  const frames = [firstFrame, lastFrame].map((bytes) => bytes && sha256(bytes));
  const others = [references, clips, audioFiles].map((list) => list.map(sha256));
  const made = [prompt, width, height, seconds, audio, seed, spec.watermark];
  const key = JSON.stringify([recipeVersion, ...made, ...frames, ...others]);
  return `${sha256(key).slice(0, 32)}.mp4`;
}

function sha256(bytes: Buffer | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
