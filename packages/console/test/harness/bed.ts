import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePort } from "@zoetrope/dev/services/ports.ts";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { type Browser, chromium } from "playwright-core";

/** A whole service with the console of these sources, and a browser. */
export interface Bed extends AsyncDisposable {
  readonly scratch: Scratch;
  readonly stack: Stack;
  readonly browser: Browser;
  /** Browsers keep the session's cookie over http for this host only. */
  readonly origin: string;
  /** The built console. */
  readonly dist: string;
}

const programs = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];
const consoleDir = fileURLToPath(new URL("../..", import.meta.url));

/** A file in place of the Python client, of the version of this release. */
async function writeWheel(dir: string): Promise<string> {
  const manifest = await readFile(join(consoleDir, "package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { version: string };
  await mkdir(dir);
  await writeFile(join(dir, `zoetrope-${version}-py3-none-any.whl`), "a wheel");
  return dir;
}

/**
 * Builds the console in a separate process: here NODE_ENV says that it is a test, and React would
 * be another.
 */
async function buildConsole(outDir: string): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: where programs are
  const env = { PATH: process.env["PATH"], NODE_ENV: "production" };
  const args = ["build", "--logLevel", "error", "--outDir", outDir, "--emptyOutDir"];
  await promisify(execFile)("vite", args, { cwd: consoleDir, env });
}

/** Drafts are small videos that cost nothing to draw; for screenshots they are drawn as a customer sees them. */
export async function openBed({ isDraft = true } = {}): Promise<Bed> {
  const executablePath = programs.find((path) => existsSync(path));
  if (executablePath === undefined)
    throw new Error("no Chromium: apt-get install chromium-headless-shell");
  const scratch = await makeScratch("console");
  const dist = join(scratch.path, "dist");
  await using started = new AsyncDisposableStack();
  started.defer(() => scratch.remove());
  const apiPort = await freePort();
  const origin = `http://localhost:${apiPort}`;
  await buildConsole(dist);
  const packages = await writeWheel(join(scratch.path, "packages"));
  const stack = await startStack({
    dir: scratch.path,
    serverEnv: {
      API_PORT: String(apiPort),
      PUBLIC_URL: origin,
      CONSOLE_DIR: dist,
      PACKAGES_DIR: packages,
      POLL_FIRST_MS: "300",
      PROMPT_SEARCH: "true",
      DOCUMENTS_PER_MINUTE_MAX: "100000",
      GRANT_APPROVAL_ABOVE: "10000",
      PRICE_CHANGE_PERCENT_MAX: "20",
    },
    sandboxEnv: {
      SANDBOX_DRAFT: String(isDraft),
      SANDBOX_QUEUED_MS: "100",
      SANDBOX_RUNNING_MS: "300",
    },
  });
  started.defer(() => stack.stop());
  const browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu"],
  });
  started.defer(() => browser.close());
  const everything = started.move();
  return {
    scratch,
    stack,
    browser,
    origin,
    dist,
    [Symbol.asyncDispose]: () => everything.disposeAsync(),
  };
}
