import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";

/** Runs the work in a scratch folder that is removed afterwards. */
export async function inWorkDir<Result>(
  { workDir }: { workDir: string },
  prefix: string,
  work: (dir: string) => Promise<Result>,
): Promise<Result> {
  await mkdir(workDir, { recursive: true });
  const dir = await mkdtemp(join(workDir, prefix));
  try {
    return await work(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
