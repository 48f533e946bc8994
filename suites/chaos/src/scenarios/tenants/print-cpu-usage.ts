import { readCpuMs } from "@zoetrope/testkit/cpu-time.ts";
import { print } from "@zoetrope/testkit/print.ts";

/** Runs the work and prints how many processors each of these children, and this process, used meanwhile. */
export async function printCpuUsage(
  children: Readonly<Record<string, number>>,
  work: () => Promise<void>,
): Promise<void> {
  const all = { ...children, [self]: process.pid };
  const before = await readCpuMs(all);
  const startedAt = performance.now();
  await work();
  const tookMs = performance.now() - startedAt;
  const after = await readCpuMs(all);
  const usedMsOf = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  const used = new Map(Object.keys(all).map((name) => [name, usedMsOf(name)]));
  const ofChildren = Object.keys(children).reduce((sum, name) => sum + usedMsOf(name), 0);
  used.set(self, usedMsOf(self) - ofChildren);
  const shares = [...used].map(([name, ms]) => `${name} ${(ms / tookMs).toFixed(2)}`);
  print(`  processors used: ${shares.join(", ")}`);
}

const self = "clients and files";
