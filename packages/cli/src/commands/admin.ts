import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { CliError } from "../cli-error.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Given } from "../run.ts";

/** As it is in the repository, and as it is installed. */
const places = ["@zoetrope/server/operator/main.ts", "@zoetrope/server/operator/main.js"];

/**
 * Runs an operator command of the server that is installed beside this program. They need the
 * settings of the deployment (DATABASE_URL); the operator API would need a browser's session.
 */
export async function admin({ args, options, run }: Given): Promise<void> {
  const json = options["json"] === true ? ["--json"] : [];
  const child = spawn(process.execPath, [findOperator(), ...args, ...json], { stdio: "inherit" });
  run.signal.addEventListener("abort", () => child.kill("SIGINT"));
  await once(child, "close");
  run.exitCode = child.exitCode ?? exitCodes.other;
}

function findOperator(): string {
  for (const place of places)
    try {
      return fileURLToPath(import.meta.resolve(place));
    } catch {}
  throw new CliError("The operator commands are part of the server, which is not installed here.", {
    exitCode: exitCodes.usage,
    code: "server_missing",
    next: "Run them where the server runs, or install @zoetrope/server beside this program.",
  });
}
