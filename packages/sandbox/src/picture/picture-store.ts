import { createHash } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FilmStore } from "../film/film-store.ts";
import type { PictureSpec } from "./picture-recipe.ts";
import { type Reference, readReference } from "./read-reference.ts";
import { renderPicture } from "./render-picture.ts";

/** Change it when pictures of the same spec come out differently, so that old ones are not reused. */
const recipeVersion = 1;

export interface PictureStore {
  /** Throws InputError when one is no picture. */
  readReferences(inputs: Buffer[]): Promise<Reference[]>;
  /** The picture, rendered unless the disk has it already. */
  obtain(spec: PictureSpec): Promise<Buffer>;
  stats(): { rendered: number; reused: number };
  /** Waits until the last ffmpeg is gone; it is the film store that ends them. */
  stop(): Promise<void>;
}

/** Pictures on disk by what they show, rendered in turn with the films and before them. */
export function openPictureStore(dir: string, inTurn: FilmStore["inFirstTurn"]): PictureStore {
  const picturesDir = join(dir, "pictures");
  mkdirSync(picturesDir, { recursive: true });
  const underWay = new Map<string, Promise<unknown>>();
  const reading = new Set<Promise<unknown>>();
  let [rendered, reused] = [0, 0];

  async function render(spec: PictureSpec, name: string) {
    try {
      await inTurn((studio) => renderPicture(studio, spec, join(picturesDir, name)));
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
      const name = pictureName(spec);
      const path = join(picturesDir, name);
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

function pictureName(spec: PictureSpec): string {
  const { prompt, width, height, seed, format, references } = spec;
  const inputs = references.map(({ digest }) => digest);
  const key = JSON.stringify([recipeVersion, prompt, width, height, seed, inputs]);
  return `${createHash("sha256").update(key).digest("hex").slice(0, 32)}.${format}`;
}
