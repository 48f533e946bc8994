import { CliError } from "../cli-error.ts";
import { exitCodes } from "../exit-codes.ts";
import { findLogin } from "../login/find-login.ts";
import { type Invocation, textOption } from "../run.ts";
import { readVersion } from "../version.ts";

const nodeMajorMin = 24;

/**
 * Runs the whole service on this machine until Ctrl-C. Its package is large, so it is installed
 * separately.
 */
export async function dev({ options, run }: Invocation): Promise<void> {
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
    const file = `zoetrope-dev-${readVersion()}.tgz`;
    throw missing(
      "The service is a separate package that is not installed here.",
      `Type: npm install ${await serviceUrl()}/packages/${file} in the same place as this command.`,
    );
  }
}

/** Packages come from a service: by their names anybody may have published others. */
async function serviceUrl(): Promise<string> {
  const { baseUrl } = await findLogin().catch(() => ({ baseUrl: "https://YOUR-SERVICE" }));
  return baseUrl;
}

function missing(message: string, next: string): CliError {
  return new CliError(message, { exitCode: exitCodes.usage, code: "dev_missing", next });
}
