import { execFile } from "node:child_process";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { makeScratch } from "@zoetrope/dev/services/scratch.ts";
import { expect, test } from "vitest";

const run = promisify(execFile);
const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));

test("a worker whose WORK_DIR contains STORAGE_DIR does not start and removes nothing", async () => {
  await using scratch = await makeScratch("folders");
  await mkdir(join(scratch.path, "media"));
  await writeFile(join(scratch.path, "media", "video.mp4"), "x");
  const env = {
    DATABASE_URL: "postgres://nobody@127.0.0.1:9/none",
    PUBLIC_URL: "http://127.0.0.1:9",
    RESTATE_INGRESS_URL: "http://127.0.0.1:9",
    VENDORS: "[]",
    VENDOR_CALLBACK_SECRET: "0123456789abcdef0123456789abcdef",
    WORKER_PORT: "0",
    STORAGE_DIR: join(scratch.path, "media"),
    WORK_DIR: scratch.path,
  };
  const ended = await run(process.execPath, [main, "worker"], { env, timeout: 180_000 }).then(
    () => ({ code: 0, stderr: "" }),
    (error: { code: number | null; stderr: string }) => error,
  );
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain("set WORK_DIR to a folder of its own");
  expect(await readdir(join(scratch.path, "media"))).toEqual(["video.mp4"]);
});
