import { alike, openAccounts } from "@zoetrope/dev/open-accounts.ts";
import { startStack } from "@zoetrope/dev/stack.ts";
import { percentile } from "@zoetrope/testkit/percentile.ts";
import { checkOutPreviousRelease } from "@zoetrope/testkit/previous-release.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { Agent } from "undici";
import { startInstantVendor } from "../instant-vendor.ts";
import { type Latency, printLatency, tryLatency } from "./latency.ts";

const warmUpSeconds = 10;
const accountPlan = { name: "bench", credits: 100_000_000, openTasksMax: 1_000_000 };

/**
 * Measures how soon a task's vendor is called when nothing else happens, beside another copy of the
 * server's package, by default the release before: one task a second on each, half a second apart.
 */
export async function runLatency(seconds: number, otherServerDir: string | null): Promise<void> {
  await using scratch = await makeScratch("release");
  const serverDir = otherServerDir ?? (await checkOutPreviousRelease(scratch.path)).serverDir;
  await using before = await startService(serverDir);
  await using now = await startService(null);
  await tryLatency([before, now], warmUpSeconds);
  const [first, second] = await tryLatency([before, now], seconds);
  if (first === undefined || second === undefined) throw new Error("nothing was measured");
  printLatency("before", first);
  printLatency("now", second);
  const at = ({ submitted }: Latency, share: number) => percentile(submitted, share).toFixed(1);
  print(
    `p50_ms_before=${at(first, 0.5)} p50_ms=${at(second, 0.5)} p99_ms_before=${at(first, 0.99)} p99_ms=${at(second, 0.99)} tasks=${seconds}`,
  );
}

async function startService(serverDir: string | null) {
  await using started = new AsyncDisposableStack();
  const scratch = started.use(await makeScratch("latency"));
  const vendor = started.use(await startInstantVendor(null));
  const stack = started.use(
    await startStack({
      dir: scratch.path,
      serverDir: serverDir ?? undefined,
      serverEnv: { ...vendor.env, LOG_LEVEL: "info" },
    }),
  );
  const accounts = await openAccounts(stack.databaseOwnerUrl, alike(10, accountPlan));
  const agent = new Agent({ connections: 16 });
  started.defer(() => agent.destroy());
  const all = started.move();
  return {
    customer: { apiUrl: stack.apiUrl, agent, callbackUrl: vendor.callbackUrl },
    vendor,
    keys: accounts.map(({ key }) => key),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
