import { parseArgs } from "node:util";
import { print } from "@zoetrope/testkit/print.ts";
import { assumed, measured } from "./measured.ts";
import { type Deployment, sizeDeployment } from "./size-deployment.ts";

const usage = `Usage: npm run -s plan -- [--tasks-per-day N] [--video-share S] [--video-mb MB]

  --tasks-per-day N  such as 1e6; without it, a table from a thousand to a hundred million
  --video-share S    of tasks that store a video, 0 to 1 (${assumed.videoShare})
  --video-mb MB      size of a video (${assumed.videoMb})
`;

function readDemands() {
  const { values } = parseArgs({
    options: {
      "tasks-per-day": { type: "string" },
      "video-share": { type: "string", default: String(assumed.videoShare) },
      "video-mb": { type: "string", default: String(assumed.videoMb) },
    },
  });
  const videoShare = Number(values["video-share"]);
  const videoMb = Number(values["video-mb"]);
  const wanted = values["tasks-per-day"];
  const counts = wanted === undefined ? [1e3, 1e6, 1e7, 1e8] : [Number(wanted)];
  if (!counts.every((count) => count > 0 && Number.isFinite(count)))
    throw new Error("--tasks-per-day is a number above 0, such as 1e6");
  if (!(videoShare >= 0 && videoShare <= 1)) throw new Error("--video-share is between 0 and 1");
  if (!(videoMb >= 0 && Number.isFinite(videoMb))) throw new Error("--video-mb is a number");
  return counts.map((tasksPerDay) => ({ tasksPerDay, videoShare, videoMb }));
}

const whole = (value: number) => Math.ceil(value).toLocaleString("en-GB");
const short = (value: number) =>
  value >= 100 ? whole(value) : value.toLocaleString("en-GB", { maximumSignificantDigits: 2 });
const gigabytes = (value: number) =>
  value < 1_000 ? `${short(value)} GB` : `${short(value / 1_000)} TB`;
const dollars = (value: number) => `$${short(value)}`;

const rows: readonly [string, (plan: Deployment) => string][] = [
  ["tasks per second at the peak", ({ peakPerSecond }) => short(peakPerSecond)],
  ["machines", ({ isOneMachine }) => (isOneMachine ? "one" : "several")],
  ["api processes", ({ processes }) => whole(processes.api)],
  ["worker processes", ({ processes }) => whole(processes.worker)],
  ["cores of all workers", ({ cores }) => short(cores.worker)],
  ["engine nodes", ({ engineNodes }) => whole(engineNodes)],
  ["cores of each engine node", ({ cores, engineNodes }) => short(cores.engine / engineNodes)],
  ["PostgreSQL primaries (shards)", ({ shards }) => whole(shards)],
  ["shards are asked for by", ({ shards, shardedFor }) => (shards === 1 ? "–" : shardedFor)],
  ["cores of each primary", ({ cores, shards }) => short(cores.postgres / shards)],
  ["syncs per second, all primaries", ({ syncsPerSecond }) => short(syncsPerSecond)],
  ["log of PostgreSQL, MB per second", ({ walMbPerSecond }) => short(walMbPerSecond)],
  ["connections without a pooler", ({ connections }) => whole(connections)],
  [`rows after ${assumed.ageDays} days`, ({ diskGb }) => gigabytes(diskGb)],
  [`media of ${assumed.mediaDays} days`, ({ mediaGb }) => gigabytes(mediaGb)],
  ["egress per month", ({ egressGbPerMonth }) => gigabytes(egressGbPerMonth)],
  ["processors, per month", ({ costs }) => dollars(costs.processors)],
  ["disks, per month", ({ costs }) => dollars(costs.disk)],
  ["media and egress, per month", ({ costs }) => dollars(costs.media + costs.egress)],
  ["per thousand tasks", ({ dollarsPerTask }) => dollars(1_000 * dollarsPerTask)],
];

try {
  const demands = readDemands();
  const plans = demands.map(sizeDeployment);
  const head = demands.map(({ tasksPerDay }) => tasksPerDay.toLocaleString("en-GB"));
  print(`| tasks per day | ${head.join(" | ")} |`);
  print(`| --- |${" --- |".repeat(plans.length)}`);
  for (const [name, show] of rows) print(`| ${name} | ${plans.map(show).join(" | ")} |`);
  print("");
  const { api, worker, engine, postgres } = measured.cpuMs;
  print(
    `From ${(api + worker + engine + postgres).toFixed(1)} ms of processor time per task and ${measured.videoCpuMs.worker} more of the worker per video; peaks of ${assumed.peak} times the mean. What it rests on: docs/scaling.md`,
  );
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  process.exitCode = 2;
}
