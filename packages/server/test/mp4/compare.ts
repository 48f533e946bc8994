import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inParallel } from "@zoetrope/testkit/in-parallel.ts";
import { render } from "@zoetrope/testkit/make-media.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { type Measured, measureMp4 } from "../../src/media/mp4/measure-mp4.ts";
import { probeMedia } from "../../src/media/probe/probe.ts";
import { type Damage, damages, flips } from "./damage.ts";
import { createRandom, oddRecipes, type Recipe, usualRecipes } from "./recipes.ts";

const filesAtOnce = 4;
const usualCount = 150;

export interface Case {
  name: string;
  isUsual: boolean;
  bytes(): Promise<Buffer>;
}

interface Comparison {
  name: string;
  isUsual: boolean;
  inProcess: Measured;
  byFfprobe: Awaited<ReturnType<typeof probeMedia>>;
}

/** Returns so many files: as vendors make them, odd ones, and damaged ones. */
export function listCases(count: number): Case[] {
  const usual = usualRecipes(usualCount);
  const cases = [...usual, ...oddRecipes()].map(made);
  const choose = createRandom(11);
  for (const damage of damages) cases.push(damaged(usual, damage, cases.length));
  while (cases.length < count) cases.push(damaged(usual, choose(flips), cases.length));
  return cases.slice(0, count);
}

function made({ name, ending, args, isUsual }: Recipe): Case {
  return { name, isUsual, bytes: () => render(`a.${ending}`, args) };
}

function damaged(usual: readonly Recipe[], damage: Damage, seed: number): Case {
  return {
    name: `${damage.name}, number ${seed}`,
    isUsual: false,
    async bytes() {
      const choose = createRandom(seed);
      for (;;) {
        const { ending, args } = choose(usual);
        const bytes = damage.of(await render(`a.${ending}`, args), choose);
        if (bytes !== null) return bytes;
      }
    },
  };
}

/** Measures each file in both ways: in the process from chunks of any size, and with ffprobe. */
export async function compareAll(cases: readonly Case[]): Promise<Comparison[]> {
  await using scratch = await makeScratch("compare");
  const found: Comparison[] = [];
  await inParallel(filesAtOnce, cases.entries(), async ([at, { name, isUsual, bytes }]) => {
    const file = await bytes();
    const path = join(scratch.path, String(at));
    await writeFile(path, file);
    const inProcess = measured(file, createRandom(at));
    found.push({ name, isUsual, inProcess, byFfprobe: await probeMedia(path) });
  });
  return found;
}

function measured(file: Buffer, choose: <Item>(items: readonly Item[]) => Item): Measured {
  const measure = measureMp4();
  for (let at = 0; at < file.length; ) {
    const size = choose([1, 3, 7, 100, 1_000, 16_384, 65_536]);
    measure.push(file.subarray(at, at + size));
    at += size;
  }
  return measure.end();
}

/** The files for which the two ways disagree: nothing of the sort is allowed. */
export function disagreements(all: readonly Comparison[]): Comparison[] {
  return all.filter(
    ({ inProcess, byFfprobe }) =>
      inProcess.kind === "measured" &&
      JSON.stringify(sorted(inProcess.facts)) !== JSON.stringify(sorted(byFfprobe ?? {})),
  );
}

function sorted(facts: object): [string, unknown][] {
  return Object.entries(facts).sort(([a], [b]) => a.localeCompare(b));
}
