import { execFile } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { childEnv } from "@zoetrope/dev/services/command-line.ts";
import { freePort } from "@zoetrope/dev/services/ports.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../../..");

interface Reader {
  dir: string;
  url: string;
  key: string;
  /** The secret of the account's callbacks. */
  secret: string;
  /** The files that the programs find in their folder. */
  files: Record<string, Uint8Array>;
}

/** Runs every TypeScript block of the pages, one after the other, and returns their lines. */
export async function runPages(pages: string[], reader: Reader): Promise<string[]> {
  const { dir, url, key, secret, files } = reader;
  await mkdir(dir);
  await symlink(join(root, "node_modules"), join(dir, "node_modules"));
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(dir, name), bytes);
  const texts = await Promise.all(pages.map((page) => readFile(join(root, page), "utf8")));
  const blocks = [...texts.join("\n").matchAll(/^```ts\n(.*?)^```$/gms)];
  const names = blocks.map((_, index) => `./block-${index + 1}.mts`);
  for (const [index, [, block = ""]] of blocks.entries())
    await writeFile(join(dir, names[index] ?? ""), block);
  const imports = names.map((name) => `await import("${name}");\n`).join(""); // loads the AI SDK once
  await writeFile(join(dir, "all.mts"), imports);
  const port = String(await freePort());
  const env = childEnv({
    ZOETROPE_BASE_URL: url,
    ZOETROPE_API_KEY: key,
    ZOETROPE_WEBHOOK_SECRET: secret,
    PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
  });
  const { stdout } = await run(process.execPath, ["all.mts"], { cwd: dir, env });
  return stdout.trim().split("\n");
}
