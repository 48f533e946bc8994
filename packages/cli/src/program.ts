import { Command } from "commander";
import {
  addAccountCommands,
  addAssetCommands,
  addKeyCommands,
  addLoginCommands,
} from "./commands/account-commands.ts";
import type { Register } from "./commands/act.ts";
import { addGenerateCommands, addTaskCommands } from "./commands/generate-commands.ts";
import { addOtherCommands } from "./commands/other-commands.ts";
import { addWebhookCommands } from "./commands/webhook-commands.ts";
import type { Run } from "./run.ts";
import { readVersion } from "./version.ts";

/** Commands that need to know all others. */
const knowAll = ["completions", "schema"];

/**
 * Every command. What one takes is set up only if its name is among the words, and what it does is loaded
 * when it runs: the start takes as long as that.
 */
export function buildProgram(run: Run, words: readonly string[]): Command {
  const program = new Command("zoetrope")
    .description("Makes videos and images with a Zoetrope service.")
    .version(readVersion(), "-V, --version", "print the version")
    .option("--json", "print results and errors as JSON; results are JSON anyway when piped")
    .option("--base-url <url>", "the service to use, in place of ZOETROPE_BASE_URL")
    .exitOverride()
    .configureOutput({ outputError: () => {} }) // told in our own form
    .configureHelp({ showGlobalOptions: true });
  const isWhole = words.some((word) => knowAll.includes(word));
  const add = (name: string, text: string, detail: (command: Command) => void) => {
    const command = program.command(name).description(text);
    if (isWhole || words.includes(name)) detail(command);
  };
  const register: Register = Object.assign(add, { run });
  addGenerateCommands(register);
  addTaskCommands(register);
  addLoginCommands(register);
  addAssetCommands(register);
  addAccountCommands(register);
  addKeyCommands(register);
  addWebhookCommands(register);
  addOtherCommands(register, program);
  return program;
}
