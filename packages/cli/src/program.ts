import { Command } from "commander";
import {
  addAccountCommands,
  addAssetCommands,
  addKeyCommands,
  addLoginCommands,
} from "./commands/account-commands.ts";
import { addGenerateCommands, addTaskCommands } from "./commands/generate-commands.ts";
import { addOtherCommands } from "./commands/other-commands.ts";
import { addWebhookCommands } from "./commands/webhook-commands.ts";
import type { Run } from "./run.ts";
import { readVersion } from "./version.ts";

/** Every command with its options. What a command does is loaded when it runs. */
export function buildProgram(run: Run): Command {
  const program = new Command("zoetrope")
    .description("Makes videos and images with a Zoetrope service.")
    .version(readVersion(), "-V, --version", "print the version")
    .option("--json", "print results and errors as JSON; results are JSON anyway when piped")
    .option("--base-url <url>", "the service to use, in place of ZOETROPE_BASE_URL")
    .exitOverride()
    .configureOutput({ outputError: () => {} }) // told in our own form
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false });
  addGenerateCommands(program, run);
  addTaskCommands(program, run);
  addLoginCommands(program, run);
  addAssetCommands(program, run);
  addAccountCommands(program, run);
  addKeyCommands(program, run);
  addWebhookCommands(program, run);
  addOtherCommands(program, run);
  return program;
}
