import { alike, openAccounts } from "@zoetrope/dev/open-accounts.ts";
import { startStack } from "@zoetrope/dev/stack.ts";
import { percentile } from "@zoetrope/testkit/percentile.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { Agent } from "undici";
import { startInstantVendor } from "../instant-vendor.ts";
import { makeSampleVideo } from "../sample-video.ts";
import { measureFailover } from "./failover.ts";
import { createAtOnce, measureLives, underLoad, untilEmpty } from "./load.ts";
import { accountPlan, noTimes, probe, probeAccounts, probeUntil, type Times } from "./probe.ts";

const loadAccounts = 40;
const createSeconds = 15;

/**
 * `npm run figures [PROBES]`: what customers of such a service ask and nobody publishes, idle, at half of
 * the load that it carries, and while the database's primary is killed and its standby takes its place.
 */
const probes = Number(process.argv[2] ?? 60);
await using scratch = await makeScratch("figures");
await using vendor = await startInstantVendor({
  videoPath: await makeSampleVideo(scratch.path),
  imagePath: null,
});
await using stack = await startStack({ dir: scratch.path, serverEnv: vendor.env });
const accounts = await openAccounts(
  stack.databaseOwnerUrl,
  alike(probeAccounts + loadAccounts, accountPlan),
);
const keys = accounts.map(({ key }) => key);
const agent = new Agent({ connections: 256 });
const customer = { apiUrl: stack.apiUrl, agent, callbackUrl: vendor.callbackUrl };
const load = { customer, keys: keys.slice(probeAccounts) };
const probing = { customer, vendor, keys: keys.slice(0, probeAccounts) };

const counted = (count: number) => (done: number) => done >= count;
await probeUntil(probing, counted(4), noTimes()); // warm-up

const idle = noTimes();
for (let nth = 0; nth < probes; nth++) await probe(probing, keys[0] ?? "", idle);
show("idle, one task at a time", idle);

const perSecond = await createAtOnce(load, createSeconds);
const createsPerSecond = percentile(perSecond, 0.5);
print(`creates a second: median ${createsPerSecond}, worst second ${Math.min(...perSecond)}\n`);
await untilEmpty(stack);

const half = noTimes();
const rate = (await measureLives(load, stack)) / 2;
await underLoad(load, rate, () => probeUntil(probing, counted(probes), half));
show(`at half load, ${rate.toFixed(0)} tasks a second beside`, half);
await untilEmpty(stack);

await stack.stop();
show("primary killed, standby takes over", await measureFailover(scratch.path, vendor));

const worst = (times: Times, name: keyof Times) => percentile(times[name], 0.99).toFixed(0);
print(
  `creates_per_s=${createsPerSecond} known_p99_ms=${worst(half, "known")} credits_back_p99_ms=${worst(half, "creditsBack")} callback_p99_ms=${worst(half, "calledBack")}`,
);
await agent.destroy();

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
