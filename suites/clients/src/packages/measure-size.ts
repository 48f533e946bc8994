import { execFile } from "node:child_process";
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";

const run = promisify(execFile);
const tools = fileURLToPath(new URL("../../../../tools/clients/", import.meta.url));
const bun = join(tools, "node_modules", "@oven/bun-linux-x64/bin/bun");

export interface SdkSize {
  /** All its modules, each compressed on its own as a server would send it: nothing is minified. */
  readonly filesKb: number;
  /** Everything it exports in one file for browsers, not minified. */
  readonly bundleKb: number;
  /** The size of that file, minified. */
  readonly minifiedKb: number;
}

/** Measures the unpacked SDK in units of 1000 bytes after gzip. */
export async function measureSdk(dir: string): Promise<SdkSize> {
  let filesBytes = 0;
  for await (const name of glob("dist/**/*.js", { cwd: dir }))
    filesBytes += gzipSync(await readFile(join(dir, name))).length;
  const bundle = async (...more: string[]): Promise<number> => {
    const args = ["build", join(dir, "dist/index.js"), "--target=browser", "--external=node:*"];
    const { stdout } = await run(bun, [...args, ...more]);
    return gzipSync(stdout).length / 1000;
  };
  const [bundleKb, minifiedKb] = await Promise.all([bundle(), bundle("--minify")]);
  return { filesKb: filesBytes / 1000, bundleKb, minifiedKb };
}
