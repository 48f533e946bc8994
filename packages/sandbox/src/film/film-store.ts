import { createHash } from "node:crypto";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { FilmSpec } from "./compose.ts";
import { renderFilm, type Studio } from "./render-film.ts";

/** Change it when films of the same spec come out differently, so that old ones are not reused. */
const recipeVersion = 1;

export interface FilmStore {
  /** The name of the film, rendered unless the disk has it already. */
  obtain(spec: FilmSpec): Promise<string>;
  pathOf(name: string): string;
  stats(): { rendered: number; reused: number; rendering: number; waiting: number };
  /** Ends every ffmpeg and waits until the last is gone. */
  stop(): Promise<void>;
}

/** Films on disk by what they show; at most `rendersMax` are rendered at a time, the rest wait. */
export function openFilmStore(dir: string, rendersMax: number): FilmStore {
  const filmsDir = join(dir, "films");
  const workDir = join(dir, "work");
  rmSync(workDir, { recursive: true, force: true }); // left by a killed sandbox
  mkdirSync(filmsDir, { recursive: true });
  mkdirSync(workDir, { recursive: true });
  const studio: Studio = { workDir, children: new Set(), stopped: false };
  const underWay = new Map<string, Promise<string>>();
  const waiting: (() => void)[] = [];
  let [rendered, reused, rendering] = [0, 0, 0];

  async function render(spec: FilmSpec, name: string): Promise<string> {
    if (rendering >= rendersMax) await new Promise<void>((resolve) => waiting.push(resolve));
    else rendering++;
    try {
      await renderFilm(studio, spec, join(filmsDir, name));
      rendered++;
      return name;
    } finally {
      // the place goes straight to the next in line, if any
      const next = waiting.shift();
      if (next) next();
      else rendering--;
      underWay.delete(name);
    }
  }

  return {
    async obtain(spec) {
      const name = filmName(spec);
      const already = underWay.get(name);
      if (already || existsSync(join(filmsDir, name))) {
        reused++;
        return already ?? name;
      }
      const work = render(spec, name);
      underWay.set(name, work);
      return work;
    },
    pathOf: (name) => join(filmsDir, name),
    stats: () => ({ rendered, reused, rendering, waiting: waiting.length }),
    async stop() {
      studio.stopped = true;
      for (const child of studio.children) child.kill("SIGKILL");
      await Promise.allSettled(underWay.values());
    },
  };
}

function filmName(spec: FilmSpec): string {
  const { prompt, width, height, seconds, audio, seed } = spec;
  const key = JSON.stringify([recipeVersion, prompt, width, height, seconds, audio, seed]);
  return `${createHash("sha256").update(key).digest("hex").slice(0, 32)}.mp4`;
}
