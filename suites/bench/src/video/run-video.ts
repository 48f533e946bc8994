import { join } from "node:path";
import { alike, openAccounts } from "@zoetrope/dev/open-accounts.ts";
import { startStack } from "@zoetrope/dev/stack.ts";
import { inParallel } from "@zoetrope/testkit/in-parallel.ts";
import { percentile } from "@zoetrope/testkit/percentile.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { Agent } from "undici";
import { type Customer, create, untilOver } from "../customer.ts";
import { type InstantVendor, now, startInstantVendor } from "../instant-vendor.ts";
import { median } from "../ratios.ts";
import { makeSampleVideo, makeSmallVideo } from "../sample-video.ts";
import { type Costs, columns, startCosts } from "./costs.ts";
import { printFootprint } from "./footprint.ts";
import { type Bare, startBare } from "./start-bare.ts";

/** The number of accounts: so many that no account's lock is waited for. */
const accountCount = 40;
const accountPlan = { name: "bench", credits: 100_000_000, openTasksMax: 1_000_000 };
const round = { videos: 128, atOnce: 64 };
const warmUp = { videos: 48, atOnce: 16 };
const probes = 60;
const prompt = "a fox crosses a frozen lake";

type Side = "service" | "bare";

interface Measured extends Costs {
  /** Videos a second. */
  rate: number;
}

interface Served {
  readonly customer: Customer;
  readonly keys: readonly string[];
  readonly vendor: InstantVendor;
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
  await using vendor = await startInstantVendor(await makeVideo(scratch.path));
  await using stack = await startStack({
    dir: scratch.path,
    serverDir: serverDir ?? undefined,
    serverEnv: { ...vendor.env, LOG_LEVEL: "info" },
  });
  await using bare = await startBare({
    videoUrl: vendor.videoUrl,
    dir: join(scratch.path, "bare"),
    databaseUrl: stack.postgres.url,
  });
  const accounts = await openAccounts(stack.databaseOwnerUrl, alike(accountCount, accountPlan));
  const agent = new Agent({ connections: 256 });
  const customer = { apiUrl: stack.apiUrl, agent, callbackUrl: vendor.callbackUrl };
  const served = { customer, vendor, keys: accounts.map(({ key }) => key) };
  await storeMany(served, warmUp);
  await bare.run(warmUp);

  const all: Record<Side, Measured[]> = { service: [], bare: [] };
  for (let nth = 1; nth <= rounds; nth++)
    for (const side of ["service", "bare"] as const) {
      const costs = await startCosts(stack, bare.pid);
      const startedAt = performance.now();
      await work(side, served, bare);
      const rate = round.videos / ((performance.now() - startedAt) / 1_000);
      const measured = { rate, ...(await costs.perVideo(round.videos, side)) };
      all[side].push(measured);
      print(`${clip}, round ${nth}  ${side.padEnd(7)} ${lineOf(measured)}`);
    }
  const known = await probeOneByOne(served);
  printTable(clip, all);
  await printFootprint(stack.databaseOwnerUrl);
  await agent.destroy();
  const ofBare = all.service.map(({ product }, nth) => product / (all.bare[nth]?.product ?? 0));
  const { rate, product } = medians(all.service);
  return `ratio_bare=${median(ofBare).toFixed(2)} video_per_s=${rate.toFixed(1)} video_ms=${product.toFixed(0)} known_ms_p50=${percentile(known, 0.5).toFixed(0)}`;
}

function work(side: Side, served: Served, bare: Bare): Promise<unknown> {
  return side === "bare" ? bare.run(round) : storeMany(served, round);
}

function storeMany(
  { customer, keys, vendor }: Served,
  { videos, atOnce }: { videos: number; atOnce: number },
): Promise<unknown> {
  return inParallel(atOnce, Array(videos).keys(), async (n) => {
    await vendor.seen(await create(customer, keys[n % keys.length] ?? "", prompt));
  });
}

/** Milliseconds from the end of the vendor's job until the client that waits has the output, task by task. */
async function probeOneByOne({ customer, keys, vendor }: Served): Promise<number[]> {
  const known: number[] = [];
  for (let n = 0; n < probes; n++) {
    const key = keys[n % keys.length] ?? "";
    const taskId = await create(customer, key, prompt);
    const status = await untilOver(customer, key, taskId);
    const knownAt = now();
    if (status !== "COMPLETED") throw new Error(`${taskId} ended as ${status}`);
    known.push(knownAt - (await vendor.seen(taskId)).endedAt);
  }
  return known;
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
