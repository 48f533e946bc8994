import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { renderFile } from "@zoetrope/testkit/make-media.ts";
import { expect, test } from "vitest";
import type { Bed } from "../bed.ts";

const sdk = join(import.meta.dirname, "../..");

export function readmeTests(bed: () => Bed): void {
  test("every program of the README runs", async () => {
    const { stack, scratch, proxy } = bed();
    const dir = join(scratch.path, "readme");
    await mkdir(join(dir, "node_modules/@zoetrope"), { recursive: true });
    await symlink(sdk, join(dir, "node_modules/@zoetrope/sdk"));
    const frame = ["-f", "lavfi", "-i", "testsrc2=s=640x640:d=1", "-frames:v", "1"];
    await renderFile(join(dir, "frame.png"), frame);
    const { key } = await stack.openAccount({ name: "readme", credits: 10_000 });
    const readme = await readFile(join(sdk, "README.md"), "utf8");
    const blocks = Array.from(readme.matchAll(/```ts\n(.*?)```/gs), ([, block = ""]) => block);
    expect(blocks.length).toBeGreaterThan(4);
    const [first = ""] = blocks;
    const opening = first.slice(0, first.indexOf("\n\n", first.indexOf("new Zoetrope")));
    for (const block of blocks) {
      const program = block.includes("new Zoetrope") ? block : `${opening}\n${block}`;
      const given = program
        .replaceAll("https://media.example.com", proxy.url)
        .replaceAll("zoe_live_…", key);
      const { code, output } = await runProgram(dir, given);
      expect(code, `${block}\n${output}`).toBe(0);
    }
    expect((await readFile(join(dir, "boat.mp4"))).length).toBeGreaterThan(1_000);
  });
}

/** The program is in a file and not among the arguments: it has a key in it. */
async function runProgram(dir: string, program: string) {
  const path = join(dir, "program.ts");
  await writeFile(path, program);
  const child = spawn(process.execPath, [path], { cwd: dir, stdio: ["ignore", "pipe", "pipe"] });
  const [out, err] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit"),
  ]);
  return { code: child.exitCode, output: out + err };
}
