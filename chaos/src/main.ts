import { randomInt } from "node:crypto";
import { runAccounts } from "./scenarios/accounts/run-accounts.ts";
import { runCallbacks } from "./scenarios/callbacks/run-callbacks.ts";
import { runNoisy } from "./scenarios/callbacks/run-noisy.ts";
import { runFailover } from "./scenarios/failover/run-failover.ts";
import { runFast } from "./scenarios/fast/run-fast.ts";
import { runFull, runShrink } from "./scenarios/full/run-full.ts";
import { runMedia } from "./scenarios/media/run-media.ts";
import { runNodes } from "./scenarios/nodes/run-nodes.ts";
import { runOutages } from "./scenarios/outages/run-outages.ts";
import { runOverload } from "./scenarios/overload/run-overload.ts";
import { runPolling } from "./scenarios/polling/run-polling.ts";
import { runRestore } from "./scenarios/restore/run-restore.ts";
import { runShards } from "./scenarios/shards/run-shards.ts";
import { runGuards, runSsrf } from "./scenarios/ssrf/run-ssrf.ts";
import { runStreaming } from "./scenarios/streaming/run-streaming.ts";
import { runTenants } from "./scenarios/tenants/run-tenants.ts";
import { runUpgrade } from "./scenarios/upgrade/run-upgrade.ts";
import { runUpscale } from "./scenarios/upscale/run-upscale.ts";
import { runVendors } from "./scenarios/vendors/run-vendors.ts";
import { runWaiting } from "./scenarios/waiting/run-waiting.ts";

const usage = `Usage: npm run -s chaos -- COMMAND

  fast [SEED]      300 tasks of 100 accounts while worker, api and engine are killed
  waiting [TASKS]  many tasks (20000) that wait for a slow vendor: what they cost
  vendors [TASKS]  tasks (300) of all vendors, 30 % of whose submits fail in every way
  accounts [RATE]  vendor accounts added, paused, rotated and removed under load (4 tasks/s)
  polling [TASKS]  many tasks (5000) of a vendor without callbacks: when their ends are seen
  ssrf [SEED]      URLs to forbidden addresses at every entry point, in a network of its own (root)
  guards           each clause of the URL guard removed in turn: what gets through (root)
  media            bad and odd files of every kind at every entry point that takes files
  upscale [SECONDS]  upscales of a clip (120 s) while workers are killed and stopped
  callbacks [TASKS]  callbacks (100000) to receivers of which 30 % fail in every way
  callbacks kills [TASKS]  the same (2000) while workers are killed
  callbacks noisy [CALLBACKS]  whether one account's backlog (20000) delays another's callbacks
  tenants [SECONDS]  ten hostile accounts beside ten ordinary ones (300 s)
  outages [SECONDS]  storage, engine, database and a worker away under load (180 s each)
  upgrade [TASKS]  the previous release and this one side by side while tasks (500) wait
  failover [TASKS]  the members of a pair of PostgreSQL servers killed, frozen and exchanged under load (at least 400 tasks)
  nodes [SECONDS]  three engine nodes: grown, killed, frozen, emptied, restarted (600 s in all)
  full [SEED] [FAULTS]  everything at once: 100000 tasks of 2000 accounts, a fault every 15 to 20 s (root)
  tenth [SEED] [FAULTS]  a tenth of it; FAULTS, such as 3,7-9, keeps only these of the seed's faults
  shrink SEED FAULTS  repeats a failing tenth with ever fewer of its faults
  shards [MOVES]   accounts of two databases moved (12 times) from one to the other while they work
  overload [SECONDS]  three times as many creates as the service can accept (300 s)
  restore          the database lost under load, restored to an earlier point and reconciled
  streaming        videos of 1 GB and 199 MB in and out: what they cost in memory
`;

interface Scenario {
  run(size: number, more: string): Promise<boolean>;
  /** What it takes without an argument; left out: it takes none. */
  usual?: number;
  max?: number;
}

const seed = { usual: randomInt(1, 1_000_000), max: 1_000_000 };
const scenarios: Readonly<Record<string, Scenario>> = {
  fast: { run: runFast, ...seed },
  waiting: { run: runWaiting, usual: 20_000, max: 200_000 },
  vendors: { run: runVendors, usual: 300, max: 5_000 },
  accounts: { run: runAccounts, usual: 4, max: 100 },
  polling: { run: runPolling, usual: 5_000, max: 50_000 },
  ssrf: { run: runSsrf, ...seed },
  guards: { run: runGuards },
  media: { run: runMedia },
  upscale: { run: runUpscale, usual: 120, max: 600 },
  callbacks: {
    run: (tasks) => runCallbacks({ tasks, endsPerSecond: 200, killEveryMs: null }),
    ...{ usual: 100_000, max: 1_000_000 },
  },
  "callbacks kills": {
    run: (tasks) => runCallbacks({ tasks, endsPerSecond: 80, killEveryMs: 2_000 }),
    ...{ usual: 2_000, max: 1_000_000 },
  },
  "callbacks noisy": { run: runNoisy, usual: 20_000, max: 100_000 },
  tenants: { run: runTenants, usual: 300, max: 3_600 },
  outages: { run: runOutages, usual: 180, max: 1_800 },
  upgrade: { run: runUpgrade, usual: 500, max: 5_000 },
  failover: { run: runFailover, usual: 400, max: 100_000 },
  nodes: { run: runNodes, usual: 600, max: 3_600 },
  shards: { run: runShards, usual: 12, max: 1_000 },
  full: { run: (number, faults) => runFull("full", number, faults), ...seed },
  tenth: { run: (number, faults) => runFull("tenth", number, faults), ...seed },
  shrink: { run: runShrink, ...seed },
  overload: { run: runOverload, usual: 300, max: 3_600 },
  restore: { run: runRestore },
  streaming: { run: runStreaming },
};

async function main(): Promise<boolean> {
  const [first = "", second = "", third] = process.argv.slice(2);
  const hasTwoWords = `${first} ${second}` in scenarios;
  const scenario = scenarios[hasTwoWords ? `${first} ${second}` : first];
  const [size, more = ""] = hasTwoWords ? [third] : [second, third];
  if (scenario !== undefined) return scenario.run(sizeOf(scenario, size), more);
  process.stderr.write(usage);
  return false;
}

function sizeOf({ usual = 1, max = 1 }: Scenario, argument = ""): number {
  if (argument === "") return usual;
  const number = Number(argument);
  if (Number.isInteger(number) && number > 0 && number <= max) return number;
  throw new Error(`${argument} is not a whole number from 1 to ${max}`);
}

process.exitCode = (await main()) ? 0 : 1;
