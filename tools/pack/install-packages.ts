import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { packPackages } from "./pack-packages.ts";

const run = promisify(execFile);
const installMsMax = 900_000;

/** Packs everything into `packages` and installs the command, the SDK and the service into `app`, which was empty. */
export async function installPackages(packages: string, app: string): Promise<void> {
  const packed = await packPackages(packages);
  await install(
    app,
    packed.filter((path) => /zoetrope-((sdk|dev)-)?[\d.]+\.tgz$/.test(path)),
  );
}

/** `npm install` of files or addresses in a folder of a stranger, which is made if there is none. */
export async function install(app: string, packages: readonly string[]): Promise<void> {
  await mkdir(app, { recursive: true });
  await writeFile(`${app}/package.json`, "{}\n"); // or npm would look for a project above
  const quietly = ["--no-audit", "--no-fund", "--loglevel=error"];
  await run("npm", ["install", "--prefer-offline", ...quietly, ...packages], {
    cwd: app,
    env: strangersEnvironment(),
    timeout: installMsMax,
  });
}

/** `npm run` hands the settings of this repository to everything below; a stranger's folder has none of them. */
export function strangersEnvironment(): NodeJS.ProcessEnv {
  // biome-ignore lint/style/noProcessEnv: handed on
  const { npm_config_strict_allow_scripts: _ours, ...theirs } = process.env;
  return theirs;
}
