import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeStaleWorkDirs, requireSeparateDirs, workDirOf } from "./work-dir.ts";

let scratch: Scratch;
beforeEach(async () => {
  scratch = await makeScratch("work-dir");
});
afterEach(() => scratch.remove());

test.each([
  ["above", "a", "a/media"],
  ["below", "a/media/work", "a/media"],
  ["equal to", "a/media", "a/media"],
  ["by a link above", "link", "a/media"],
  ["by a link below", "link/media/work", "a/media"],
])("a WORK_DIR %s STORAGE_DIR is refused", async (_how, work, storage) => {
  await mkdir(join(scratch.path, "a"));
  await symlink(join(scratch.path, "a"), join(scratch.path, "link"));
  const refused = requireSeparateDirs(join(scratch.path, work), join(scratch.path, storage));
  await expect(refused).rejects.toThrow("must not contain each other");
});

test("folders beside each other are fine, also when one's name begins like the other's", async () => {
  await requireSeparateDirs(join(scratch.path, "media-work"), join(scratch.path, "media"));
  await requireSeparateDirs(join(scratch.path, "..work"), join(scratch.path, "media"));
});

/** Makes a work folder of another process on this machine. */
async function workDirOfAnother(): Promise<{ workDir: string; end(): Promise<void> }> {
  const script = `
    import { mkdirSync } from "node:fs";
    import { workDirOf } from ${JSON.stringify(new URL("work-dir.ts", import.meta.url).href)};
    const dir = workDirOf(${JSON.stringify(scratch.path)});
    mkdirSync(dir, { recursive: true });
    console.log(dir);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const exited = once(child, "exit");
  return {
    workDir: line.toString().trim(),
    async end() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

test("a worker removes what dead workers left and nothing else", async () => {
  const own = workDirOf(scratch.path);
  const marked = join(own, "..");
  await mkdir(join(own, "collect-1"), { recursive: true });
  await mkdir(join(marked, "holiday images"));
  await mkdir(join(scratch.path, "media"));
  await writeFile(join(scratch.path, "media", "video.mp4"), "x");
  const elsewhere = join(marked, "0badb007-1-1-1"); // another machine's, alive
  const gone = join(marked, "0badb007-1-2-1"); // another machine's, long untouched
  await mkdir(elsewhere);
  await mkdir(gone);
  await utimes(gone, new Date(0), new Date(0));
  const another = await workDirOfAnother();

  await removeStaleWorkDirs(own);
  const left = async () => (await readdir(marked)).map((name) => join(marked, name)).sort();
  const kept = [own, join(marked, "holiday images"), elsewhere].sort();
  expect(await left()).toEqual([...kept, another.workDir].sort());
  expect(await readdir(own)).toEqual(["collect-1"]);

  await another.end();
  await removeStaleWorkDirs(own);
  expect(await left()).toEqual(kept);
  expect(await readdir(join(scratch.path, "media"))).toEqual(["video.mp4"]);
});
