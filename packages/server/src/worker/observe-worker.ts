import { statfs } from "node:fs/promises";
import type { GenerationContext } from "../generation/context.ts";
import type { Loops } from "./loop.ts";

/** What this worker knows without asking anyone: its loops, its breaker and its disk. */
export function observeWorker(ctx: GenerationContext, loops: Loops): void {
  const { metrics, breaker, vendors, workDir } = ctx;
  metrics.loopAlive.observe(() =>
    loops.list().map(({ name, isAlive }) => [isAlive ? 1 : 0, { loop: name }]),
  );
  metrics.loopLastSuccess.observe(() =>
    loops
      .list()
      .map(({ name, lastSuccessAt }) => [(lastSuccessAt?.getTime() ?? 0) / 1000, { loop: name }]),
  );
  metrics.vendorBreakerOpen.observe(() =>
    [...vendors.keys()].map((name) => [breaker.isSick(name) ? 1 : 0, { vendor_account: name }]),
  );
  metrics.workDirFree.observe(async () => {
    const { bavail, bsize } = await statfs(workDir);
    return [[bavail * bsize, {}]];
  });
}
