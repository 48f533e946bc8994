import { alike, openAccounts } from "@zoetrope/dev/open-accounts.ts";
import { startStack } from "@zoetrope/dev/stack.ts";
import { percentile } from "@zoetrope/testkit/percentile.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { Agent } from "undici";
import { type Latency, printLatency, tryLatency } from "./latency.ts";
import { startVendor } from "./vendor.ts";

const warmUpSeconds = 10;

/**
 * How soon a task's vendor is called when nothing else is going on, beside another copy of the server's
 * package, such as an earlier release: one task a second on each, half a second apart.
 */
export async function runLatency(serverDir: string, seconds: number): Promise<void> {
  await using before = await startService(serverDir);
  await using now = await startService(null);
  await tryLatency([before.lives, now.lives], warmUpSeconds);
  const [first, second] = await tryLatency([before.lives, now.lives], seconds);
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
  const vendor = started.use(await startVendor(null));
  const stack = started.use(
    await startStack({
      dir: scratch.path,
      ...(serverDir === null ? {} : { serverDir }),
      serverEnv: { VENDORS: vendor.settings, LOG_LEVEL: "info" },
    }),
  );
  const plan = { name: "bench", credits: 100_000_000, openTasksMax: 1_000_000 };
  const accounts = await openAccounts(stack.databaseOwnerUrl, alike(10, plan));
  const agent = new Agent({ connections: 16 });
  started.defer(() => agent.destroy());
  const all = started.move();
  return {
    lives: { agent, stack, vendor, keys: accounts.map(({ key }) => key) },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
