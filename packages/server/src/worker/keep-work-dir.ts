import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { Context } from "../context.ts";
import { removeStaleWorkDirs, requireSeparateDirs, touchWorkDir } from "./work-dir.ts";

export const workDirEveryMs = 60_000;

/** Creates this process's folder, where removing it is safe. */
export async function openWorkDir(ctx: Context): Promise<void> {
  const { storage } = ctx.config;
  const base = dirname(dirname(ctx.workDir));
  if (storage.kind === "disk") await requireSeparateDirs(base, storage.dir);
  await mkdir(ctx.workDir, { recursive: true });
  await keepWorkDir(ctx);
}

/** Marks the folder as in use, and removes folders of killed workers. */
export async function keepWorkDir({ workDir, log }: Context): Promise<void> {
  await touchWorkDir(workDir);
  const removed = await removeStaleWorkDirs(workDir);
  if (removed.length > 0) log.info({ event: "work_dirs.removed", removed });
}
