import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { alike, openAccounts } from "@zoetrope/dev/open-accounts.ts";
import { startStack } from "@zoetrope/dev/stack.ts";
import { startPostgresPair } from "@zoetrope/testkit/postgres-pair/start-postgres-pair.ts";
import { Agent } from "undici";
import type { InstantVendor } from "../instant-vendor.ts";
import { accountPlan, noTimes, probeOne, prompts, type Times } from "./probe.ts";

const beforeKillMs = 3_000;
const afterReturnMs = 10_000;
/**
 * The interval of probes, sent whether or not earlier ones have a response: an outage delays what
 * is sent during it.
 */
const probeEveryMs = 250;
/** More than there are probes: each has its account for itself. */
const accountCount = 1_000;

/** Probes while the primary of a pair is killed, until some time after the pair is complete again. */
export async function measureFailover(parent: string, vendor: InstantVendor): Promise<Times> {
  const dir = join(parent, "paired");
  await using pair = await startPostgresPair({ dir: join(dir, "pair") });
  await using stack = await startStack({ dir, serverEnv: vendor.env, postgres: pair.front });
  const accounts = await openAccounts(stack.databaseOwnerUrl, alike(accountCount, accountPlan));
  const agent = new Agent({ connections: 256 });
  const customer = { apiUrl: stack.apiUrl, agent, callbackUrl: vendor.callbackUrl };
  const probing = { customer, vendor };
  const probeNth = (n: number, into: Times) => {
    const account = accounts.pop();
    if (account === undefined) throw new Error("there are more probes than accounts");
    return probeOne(probing, account, prompts[n % prompts.length] ?? "", into);
  };
  for (const n of prompts.keys()) await probeNth(n, noTimes()); // warm-up
  const times = noTimes();
  let isBack = false;
  const probeOften = async () => {
    const startedAt = performance.now();
    const sent: Promise<void>[] = [];
    for (let n = 0; !isBack; n++) {
      sent.push(probeNth(n, times));
      await pause(Math.max(0, startedAt + (n + 1) * probeEveryMs - performance.now()));
    }
    await Promise.all(sent);
  };
  const killing = async () => {
    await pause(beforeKillMs);
    const primary = await pair.primary();
    await primary.kill();
    await pair.untilReplaced(primary);
    await primary.restart();
    await pair.untilPaired();
    await pause(afterReturnMs);
    isBack = true;
  };
  await Promise.all([probeOften(), killing()]);
  await agent.destroy();
  return times;
}
