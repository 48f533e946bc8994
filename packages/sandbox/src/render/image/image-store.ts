import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openKeptFiles } from "../kept-files.ts";
import { type Reference, readReference } from "../video/read-media.ts";
import type { VideoStore } from "../video/video-store.ts";
import { type ImageSpec, renderImage } from "./render-image.ts";

/** Change it when images of the same spec come out differently, so that old ones are not reused. */
const recipeVersion = 3;

export interface ImageStore {
  /** Throws InputError when one is no image. */
  readReferences(inputs: Buffer[]): Promise<Reference[]>;
  /** The image, rendered unless the disk has it already. */
  obtain(spec: ImageSpec): Promise<Buffer>;
  stats(): { rendered: number; reused: number };
  /** Waits until the last ffmpeg is gone; it is the video store that ends them. */
  stop(): Promise<void>;
}

/** Images on disk by what they show, rendered in turn with the videos and before them. */
export function openImageStore(dir: string, inTurn: VideoStore["inFirstTurn"]): ImageStore {
  const images = openKeptFiles(join(dir, "images"));
  const reading = new Set<Promise<unknown>>();

  function read(bytes: Buffer, at: number): Promise<Reference> {
    const work = inTurn((studio) => readReference(studio, bytes, at + 1));
    const settled = work.catch(() => undefined).finally(() => reading.delete(settled));
    reading.add(settled);
    return work;
  }

  return {
    readReferences: (inputs) => Promise.all(inputs.map(read)),
    async obtain(spec) {
      const make = (path: string) => inTurn((studio) => renderImage(studio, spec, path));
      return await readFile(await images.obtain(imageName(spec), make));
    },
    stats: images.stats,
    async stop() {
      await Promise.all([images.settle(), ...reading]);
    },
  };
}

function imageName(spec: ImageSpec): string {
  const { prompt, width, height, seed, format, references } = spec;
  const inputs = references.map(({ digest }) => digest);
  const key = JSON.stringify([recipeVersion, prompt, width, height, seed, inputs]);
  return `${createHash("sha256").update(key).digest("hex").slice(0, 32)}.${format}`;
}
