import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "@zoetrope/dev/services/command-line.ts";

/** A folder on a separate disk, which can be filled. */
export interface SmallDisk extends AsyncDisposable {
  fill(): Promise<void>;
  empty(): Promise<void>;
}

const size = "64m";
const block = Buffer.alloc(1024 * 1024);

export async function mountSmallDisk(dir: string): Promise<SmallDisk> {
  await mkdir(dir, { recursive: true });
  await runCommand("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", dir]);
  const filler = join(dir, "filler");
  return {
    async fill() {
      const file = await open(filler, "w");
      try {
        for (;;) await file.write(block);
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
      } finally {
        await file.close();
      }
    },
    empty: () => rm(filler, { force: true }),
    async [Symbol.asyncDispose]() {
      await runCommand("umount", ["--lazy", dir]);
    },
  };
}
