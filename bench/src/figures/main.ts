import { setTimeout as pause } from "node:timers/promises";
import { alike, openAccounts } from "@zoetrope/dev/open-accounts.ts";
import { startStack } from "@zoetrope/dev/stack.ts";
import { percentile } from "@zoetrope/testkit/percentile.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { Agent } from "undici";
import { makeSampleVideo } from "../sample-video.ts";
import { createAtOnce, measureLives, underLoad, untilEmpty } from "./load.ts";
import { noTimes, probe, type Times } from "./probe.ts";
import { startFiguresVendor } from "./vendor.ts";

/** Each probe's account has one task at a time, so that its credits are those of this task. */
const probeAccounts = 20;
const loadAccounts = 40;
const probesAtOnce = 4;
const createSeconds = 15;
const beforeKillMs = 3_000;
const afterReturnMs = 10_000;

/**
 * `npm run figures [PROBES]`: what customers of such a service ask and nobody publishes, idle, at half of
 * the load that it carries, and while PostgreSQL is killed and comes back.
 */
const probes = Number(process.argv[2] ?? 60);
await using scratch = await makeScratch("figures");
await using vendor = await startFiguresVendor(await makeSampleVideo(scratch.path));
await using stack = await startStack({
  dir: scratch.path,
  serverEnv: { VENDORS: vendor.settings, REQUESTS_PER_MINUTE_MAX: "1000000" },
});
const plan = { name: "figures", credits: 100_000_000, openTasksMax: 1_000_000 };
const ownerUrl = stack.databaseOwnerUrl;
const accounts = await openAccounts(ownerUrl, alike(probeAccounts + loadAccounts, plan));
const keys = accounts.map(({ key }) => key);
const agent = new Agent({ connections: 256 });
const customer = { apiUrl: stack.apiUrl, agent, callbackUrl: vendor.callbackUrl };
const load = { customer, keys: keys.slice(probeAccounts) };

const counted = (count: number) => (done: number) => done >= count;
await probeUntil(counted(4), noTimes()); // warm-up

const idle = noTimes();
for (let nth = 0; nth < probes; nth++) await probe(customer, vendor, keys[0] ?? "", idle);
show("idle, one task at a time", idle);

const perSecond = await createAtOnce(load, createSeconds);
const createsPerSecond = percentile(perSecond, 0.5);
print(`creates a second: median ${createsPerSecond}, worst second ${Math.min(...perSecond)}\n`);
await untilEmpty(stack);

const half = noTimes();
const rate = (await measureLives(load, stack)) / 2;
await underLoad(load, rate, () => probeUntil(counted(probes), half));
show(`at half load, ${rate.toFixed(0)} tasks a second beside`, half);
await untilEmpty(stack);

const failover = noTimes();
let isBack = false;
const killing = async () => {
  await pause(beforeKillMs);
  await stack.postgres.kill();
  await stack.postgres.restart();
  await pause(afterReturnMs);
  isBack = true;
};
await Promise.all([probeUntil((done) => isBack && done >= probes, failover), killing()]);
show("PostgreSQL killed and started again", failover);

const worst = (times: Times, name: keyof Times) => percentile(times[name], 0.99).toFixed(0);
print(
  `creates_per_s=${createsPerSecond} known_p99_ms=${worst(half, "known")} credits_back_p99_ms=${worst(half, "creditsBack")} callback_p99_ms=${worst(half, "calledBack")}`,
);
await agent.destroy();

async function probeUntil(isEnough: (done: number) => boolean, times: Times): Promise<void> {
  let done = 0;
  const one = async (_: unknown, nth: number) => {
    for (let key = nth; !isEnough(done); key = (key + probesAtOnce) % probeAccounts) {
      done += 1;
      await probe(customer, vendor, keys[key] ?? "", times);
    }
  };
  await Promise.all(Array.from({ length: probesAtOnce }, one));
}

function show(state: string, times: Times): void {
  const names: Record<keyof Times, string> = {
    created: "createTask sent → hold committed and answered",
    known: "vendor has finished a video → client has the output",
    creditsBack: "vendor has failed → credits are back",
    calledBack: "task is over → first callback arrives",
  };
  print(`| ${state}, ms | p50 | p99 | worst |\n| --- | --- | --- | --- |`);
  for (const [name, text] of Object.entries(names)) {
    const values = times[name as keyof Times];
    const at = (share: number) => percentile(values, share).toFixed(0);
    print(`| ${text} (${values.length}) | ${at(0.5)} | ${at(0.99)} | ${at(1)} |`);
  }
  print("");
}
