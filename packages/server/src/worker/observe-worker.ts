import { statfs } from "node:fs/promises";
import type { Loops } from "../flow/loop.ts";
import type { GenerationContext } from "../generation/context.ts";

/** Exports the worker's own state as metrics: its loops and its disks. */
export function observeWorker(ctx: GenerationContext, loops: Loops): void {
  const { metrics, workDir } = ctx;
  metrics.loopAlive.observe(() =>
    loops.list().map(({ name, isAlive }) => [isAlive ? 1 : 0, { loop: name }]),
  );
  metrics.loopLastSuccess.observe(() =>
    loops
      .list()
      .map(({ name, lastSuccessAt }) => [(lastSuccessAt?.getTime() ?? 0) / 1000, { loop: name }]),
  );
  metrics.workDirFree.observe(async () => [[await freeBytes(workDir), {}]]);
  const { storage } = ctx.config;
  if (storage.kind === "disk")
    metrics.storageFree.observe(async () => [[await freeBytes(storage.dir), {}]]);
}

async function freeBytes(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir);
  return bavail * bsize;
}
