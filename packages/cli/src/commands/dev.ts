import { CliError } from "../cli-error.ts";
import { exitCodes } from "../exit-codes.ts";
import { type Given, textOption } from "../run.ts";
import { readVersion } from "../version.ts";

const nodeMajorMin = 24;

/** The whole service on this machine, until Ctrl-C. Its package is large, so it is installed by itself. */
export async function dev({ options, run }: Given): Promise<void> {
  const { runDev } = await loadDev();
  const [dir, port] = [textOption(options, "dir"), textOption(options, "port")];
  run.exitCode = await runDev({ dir, port, signal: run.signal });
}

async function loadDev() {
  if (Number.parseInt(process.versions.node, 10) < nodeMajorMin)
    throw missing(
      `The service needs Node ${nodeMajorMin} or newer, and this is ${process.version}.`,
      `Install Node ${nodeMajorMin}.`,
    );
  try {
    return await import("@zoetrope/dev/run-dev.ts");
  } catch (error) {
    if (!String(error).includes("Cannot find package '@zoetrope/dev'")) throw error;
    const version = readVersion();
    throw missing(
      "The service is a package of its own, which is not installed here.",
      `Type: npm install zoetrope@${version} @zoetrope/dev@${version} && npx zoetrope dev`,
    );
  }
}

function missing(message: string, next: string): CliError {
  return new CliError(message, { exitCode: exitCodes.usage, code: "dev_missing", next });
}
