import { join } from "node:path";
import { percentile } from "@zoetrope/testkit/percentile.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { median } from "../ratios.ts";
import { makeSampleVideo, makeSmallVideo } from "../sample-video.ts";
import { type Costs, columns, startCosts } from "./costs.ts";
import { printFootprint } from "./footprint.ts";
import { startBare } from "./start-bare.ts";
import { startService } from "./start-service.ts";
import { probeVideo, storeOutputs } from "./store-outputs.ts";

/** So many that no account's lock is waited for. */
const accounts = 40;
const round = { count: 128, atOnce: 64 };
const warmUp = { count: 48, atOnce: 16 };
const probes = 60;

type Side = "service" | "bare";

interface Measured extends Costs {
  /** Videos a second. */
  rate: number;
}

/**
 * A task that ends with a stored video, from createTask over the vendor's callback to the customer's,
 * beside a program that downloads, hashes and stores the same file and commits twice. The sides alternate.
 */
export async function runVideo(rounds: number, serverDir: string | null): Promise<void> {
  print(`small  ${await measureClip("small", makeSmallVideo, rounds, serverDir)}`);
  print(await measureClip("4 MB", makeSampleVideo, rounds, serverDir));
}

async function measureClip(
  clip: string,
  makeVideo: (dir: string) => Promise<string>,
  rounds: number,
  serverDir: string | null,
): Promise<string> {
  await using scratch = await makeScratch("video");
  const files = { videoPath: await makeVideo(scratch.path), imagePath: null };
  await using service = await startService({ files, accounts, serverDir });
  const { stack } = service;
  await using bare = await startBare({
    videoUrl: service.vendor.videoUrl,
    dir: join(scratch.path, "bare"),
    databaseUrl: stack.postgres.url,
  });
  await storeOutputs(service, warmUp);
  await bare.run(warmUp);

  const all: Record<Side, Measured[]> = { service: [], bare: [] };
  for (let nth = 1; nth <= rounds; nth++)
    for (const side of ["service", "bare"] as const) {
      const costs = await startCosts(stack, bare.pid);
      const startedAt = performance.now();
      await (side === "bare" ? bare.run(round) : storeOutputs(service, round));
      const rate = round.count / ((performance.now() - startedAt) / 1_000);
      const measured = { rate, ...(await costs.perOutput(round.count, side)) };
      all[side].push(measured);
      print(`${clip}, round ${nth}  ${side.padEnd(7)} ${lineOf(measured)}`);
    }
  const known: number[] = [];
  for (let nth = 0; nth < probes; nth++) known.push(await probeVideo(service, nth));
  printTable(clip, all);
  await printFootprint(stack.databaseOwnerUrl);
  const ofBare = all.service.map(({ product }, nth) => product / (all.bare[nth]?.product ?? 0));
  const { rate, product } = medians(all.service);
  return `ratio_bare=${median(ofBare).toFixed(2)} video_per_s=${rate.toFixed(1)} video_ms=${product.toFixed(0)} known_ms_p50=${percentile(known, 0.5).toFixed(0)}`;
}

/** Column by column: what else the machine did hit single rounds. */
function medians(rounds: readonly Measured[]): Measured {
  const of = (name: keyof Measured) => median(rounds.map((each) => each[name]));
  return Object.fromEntries((["rate", ...columns] as const).map((n) => [n, of(n)])) as never;
}

function lineOf(measured: Measured): string {
  const costs = columns.map((name) => `${name}=${measured[name].toFixed(2)}`);
  return `${measured.rate.toFixed(1)}/s  ${costs.join(" ")}`;
}

function printTable(clip: string, all: Record<Side, Measured[]>): void {
  print(`\n| ${clip}, per video | per s | ${columns.join(" | ")} |`);
  print(`|${" --- |".repeat(columns.length + 2)}`);
  for (const [side, rounds] of Object.entries(all)) {
    const { rate, ...costs } = medians(rounds);
    const cells = columns.map((column) => costs[column].toFixed(costs[column] < 10 ? 2 : 1));
    print(`| ${side} | ${rate.toFixed(1)} | ${cells.join(" | ")} |`);
  }
  print("");
}
