import { alike, openAccounts } from "@zoetrope/dev/open-accounts.ts";
import { startStack } from "@zoetrope/dev/stack.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { Agent } from "undici";
import { median } from "../ratios.ts";
import { makeSampleVideo } from "../sample-video.ts";
import { type Costs, columns, startCosts } from "./costs.ts";
import { printFootprint } from "./footprint.ts";
import { printLatency, tryLatency } from "./latency.ts";
import { type Lives, liveMany } from "./lives.ts";
import { startBare } from "./start-bare.ts";
import { startVendor } from "./vendor.ts";

/** So many that no account's lock is waited for. */
const accountCount = 40;
const latencySeconds = 60;

interface Load {
  name: string;
  atOnce: number;
  tasks: number;
}

const plain: Load[] = [
  { name: "idle", atOnce: 1, tasks: 30 },
  { name: "16", atOnce: 16, tasks: 400 },
  { name: "256", atOnce: 256, tasks: 1_000 },
];
const withVideo: Load[] = [
  { name: "idle", atOnce: 1, tasks: 8 },
  { name: "16", atOnce: 16, tasks: 48 },
  { name: "256", atOnce: 256, tasks: 256 },
];

interface Measured extends Costs {
  rate: number;
}

/** By load and side. */
type Rounds = Map<string, Measured[]>;

/**
 * The whole life of a task, from createTask over the vendor's callback to the customer's, beside the
 * bare engine with as many invocations and empty steps, alternating on the same engine.
 */
export async function runLifecycle(rounds: number, serverDir: string | null): Promise<void> {
  const of = { rounds, serverDir };
  const without = await measure({ hasVideo: false, loads: plain, pollSteps: 2, ...of });
  const withOne = await measure({ hasVideo: true, loads: withVideo, pollSteps: 3, ...of });
  const busy = medians(without.get("256 life"));
  print("");
  printTable("without a video", without);
  printTable("with a video fetched, measured and stored", withOne);
  const ratio = busy.rate / medians(without.get("256 engine")).rate;
  const video = medians(withOne.get("256 life"));
  print(
    `ratio_engine=${ratio.toFixed(2)} tasks_per_s=${busy.rate.toFixed(0)} video_per_s=${video.rate.toFixed(1)} product_ms=${busy.product.toFixed(1)} commits_per_task=${busy.commits.toFixed(2)}`,
  );
}

async function measure(options: {
  hasVideo: boolean;
  loads: Load[];
  pollSteps: number;
  rounds: number;
  /** Another copy of the server's package, to compare with. */
  serverDir: string | null;
}): Promise<Rounds> {
  await using scratch = await makeScratch("lifecycle");
  const video = options.hasVideo ? await makeSampleVideo(scratch.path) : null;
  await using vendor = await startVendor(video);
  await using stack = await startStack({
    dir: scratch.path,
    ...(options.serverDir === null ? {} : { serverDir: options.serverDir }),
    serverEnv: { VENDORS: vendor.settings, LOG_LEVEL: "info" },
  });
  const plan = { name: "bench", credits: 100_000_000, openTasksMax: 1_000_000 };
  const accounts = await openAccounts(stack.databaseOwnerUrl, alike(accountCount, plan));
  const keys = accounts.map(({ key }) => key);
  await using bare = await startBare(stack.restate, options.pollSteps);
  const agent = new Agent({ connections: 256 });
  const lives: Lives = { agent, stack, vendor, bare, keys };
  const all: Rounds = new Map();
  await liveMany(lives, "life", { tasks: options.hasVideo ? 16 : 300, atOnce: 16 }); // warm-up
  for (let round = 1; round <= options.rounds; round++)
    for (const load of options.loads)
      for (const side of ["life", "engine"] as const) {
        const measured = await measureSide(lives, side, load);
        const name = `${load.name} ${side}`;
        all.set(name, [...(all.get(name) ?? []), measured]);
        print(`round ${round}  ${name.padEnd(10)} ${lineOf(measured)}`);
      }
  if (!options.hasVideo) {
    const [latency] = await tryLatency([lives], latencySeconds);
    if (latency !== undefined) printLatency("one task a second", latency);
    await printFootprint(stack.databaseOwnerUrl);
  }
  await agent.close();
  return all;
}

async function measureSide(lives: Lives, side: "life" | "engine", load: Load): Promise<Measured> {
  const { stack, bare } = lives;
  const costs = await startCosts(stack, { pid: bare.pid, isCounted: side === "engine" });
  const startedAt = performance.now();
  const requests = await liveMany(lives, side, load);
  const rate = load.tasks / ((performance.now() - startedAt) / 1_000);
  return { rate, ...(await costs.perTask(load.tasks, requests)) };
}

/** Column by column: what else the machine did hit single rounds. */
function medians(rounds: Measured[] = []): Measured {
  const of = (name: keyof Measured) => median(rounds.map((round) => round[name]));
  return Object.fromEntries((["rate", ...columns] as const).map((n) => [n, of(n)])) as never;
}

function lineOf(measured: Measured): string {
  const costs = columns.map((name) => `${name}=${measured[name].toFixed(2)}`);
  return `${measured.rate.toFixed(1)}/s  ${costs.join(" ")}`;
}

function printTable(title: string, all: Rounds): void {
  print(`| ${title}, per task | per s | ${columns.join(" | ")} |`);
  print(`|${" --- |".repeat(columns.length + 2)}`);
  for (const [name, rounds] of all) {
    const { rate, ...costs } = medians(rounds);
    const cells = columns.map((column) => costs[column].toFixed(costs[column] < 10 ? 2 : 1));
    print(`| ${name} | ${rate.toFixed(1)} | ${cells.join(" | ")} |`);
  }
  print("");
}
