import { createHash } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { VideoStore } from "../video/video-store.ts";
import type { ImageSpec } from "./image-recipe.ts";
import { type Reference, readReference } from "./read-reference.ts";
import { renderImage } from "./render-image.ts";

/** Change it when images of the same spec come out differently, so that old ones are not reused. */
const recipeVersion = 2;

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
  const imagesDir = join(dir, "images");
  mkdirSync(imagesDir, { recursive: true });
  const underWay = new Map<string, Promise<unknown>>();
  const reading = new Set<Promise<unknown>>();
  let [rendered, reused] = [0, 0];

  async function render(spec: ImageSpec, name: string) {
    try {
      await inTurn((studio) => renderImage(studio, spec, join(imagesDir, name)));
      rendered++;
    } finally {
      underWay.delete(name);
    }
  }

  function read(bytes: Buffer, at: number): Promise<Reference> {
    const work = inTurn((studio) => readReference(studio, bytes, at + 1));
    const settled = work.catch(() => undefined).finally(() => reading.delete(settled));
    reading.add(settled);
    return work;
  }

  return {
    readReferences: (inputs) => Promise.all(inputs.map(read)),
    async obtain(spec) {
      const name = imageName(spec);
      const path = join(imagesDir, name);
      if (underWay.has(name) || existsSync(path)) reused++;
      else underWay.set(name, render(spec, name));
      await underWay.get(name);
      return await readFile(path);
    },
    stats: () => ({ rendered, reused }),
    async stop() {
      await Promise.allSettled([...underWay.values(), ...reading]);
    },
  };
}

function imageName(spec: ImageSpec): string {
  const { prompt, width, height, seed, format, references } = spec;
  const inputs = references.map(({ digest }) => digest);
  const key = JSON.stringify([recipeVersion, prompt, width, height, seed, inputs]);
  return `${createHash("sha256").update(key).digest("hex").slice(0, 32)}.${format}`;
}
