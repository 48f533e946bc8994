import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { childEnv } from "./services/command-line.ts";

const run = promisify(execFile);
const packMsMax = 1_200_000;

const checkout = fileURLToPath(new URL("../../..", import.meta.url));

interface Options {
  /**
   * The folder from which the service serves the clients: the whole folder is there at once, or not
   * at all.
   */
  dir: string;
  signal: AbortSignal;
  onPack(): void;
}

/**
 * Packs the clients of a checkout as `npm run pack` does, unless those of its version are there. An
 * installed service came with them.
 */
export async function packClients(
  { dir, signal, onPack }: Options,
  root = checkout,
): Promise<void> {
  if (!existsSync(join(root, "tools/pack"))) return;
  const manifest = await readFile(join(root, "packages/sdk/package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { version: string };
  if (existsSync(join(dir, `zoetrope-sdk-${version}.tgz`))) return;
  onPack();
  await mkdir(dirname(dir), { recursive: true });
  const work = await mkdtemp(`${dir}-`);
  try {
    const options = { cwd: root, env: childEnv(), timeout: packMsMax, signal };
    await run("npm", ["run", "-s", "pack", "--", work], options);
    await rm(dir, { recursive: true, force: true });
    await rename(work, dir);
  } catch (error) {
    if (signal.aborted) return;
    const { stderr = "", message } = error as Error & { stderr?: string };
    throw new Error(`The clients cannot be packed: ${stderr.trim() || message}`);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
