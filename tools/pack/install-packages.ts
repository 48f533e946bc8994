import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { packPackages } from "./pack-packages.ts";

const run = promisify(execFile);
const installMsMax = 900_000;

/** Packs everything into `tarballs` and installs it into `app`, which was empty. */
export async function installPackages(tarballs: string, app: string): Promise<void> {
  const packed = await packPackages(tarballs);
  await mkdir(app, { recursive: true });
  await writeFile(`${app}/package.json`, "{}\n"); // or npm would look for a project above
  const quietly = ["--no-audit", "--no-fund", "--loglevel=error"];
  await run("npm", ["install", "--prefer-offline", ...quietly, ...packed], {
    cwd: app,
    env: strangersEnvironment(),
    timeout: installMsMax,
  });
}

/** `npm run` hands the settings of this repository to everything below; a stranger's folder has none of them. */
function strangersEnvironment(): NodeJS.ProcessEnv {
  // biome-ignore lint/style/noProcessEnv: handed on
  const { npm_config_strict_allow_scripts: _ours, ...theirs } = process.env;
  return theirs;
}
