import { Command } from "commander";
import {
  addAccountCommands,
  addAssetCommands,
  addKeyCommands,
  addLoginCommands,
} from "./commands/account-commands.ts";
import type { Register } from "./commands/act.ts";
import { addGenerateCommands, addTaskCommands } from "./commands/generate-commands.ts";
import { type AddAdmin, addOtherCommands } from "./commands/other-commands.ts";
import { addWebhookCommands } from "./commands/webhook-commands.ts";
import type { Run } from "./run.ts";
import { readVersion } from "./version.ts";

/** Commands that need to know all others. */
const knowAll = ["completions", "schema"];

/**
 * Returns the program with every command. The options of a command are set up only if its name is
 * among the words, and its code is loaded when it runs: the start takes as long as that.
 */
export async function buildProgram(run: Run, args: readonly string[]): Promise<Command> {
  const program = new Command("zoetrope")
    .description("Generates videos and images with a Zoetrope service.")
    .version(readVersion(), "-V, --version", "print the version")
    .option("--json", "print results and errors as JSON (default for results when piped)")
    .option("--base-url <url>", "the service to use, in place of ZOETROPE_BASE_URL")
    .exitOverride()
    .configureOutput({ outputError: () => {} }) // errors are printed by `reportError`
    .configureHelp({ showGlobalOptions: true });
  const isWhole = args.some((arg) => knowAll.includes(arg));
  const add = (name: string, text: string, detail: (command: Command) => void) => {
    const command = program.command(name).description(text);
    if (isWhole || args.includes(name)) detail(command);
  };
  const register: Register = Object.assign(add, { run });
  addGenerateCommands(register);
  addTaskCommands(register);
  addLoginCommands(register);
  addAssetCommands(register);
  addAccountCommands(register);
  addKeyCommands(register);
  addWebhookCommands(register);
  addOtherCommands(register, program, await loadAdmin(isWhole || args.includes("admin")));
  return program;
}

async function loadAdmin(isNeeded: boolean): Promise<AddAdmin | null> {
  if (!isNeeded) return null;
  const { addAdminCommands } = await import("./admin/add-admin-commands.ts");
  return addAdminCommands;
}
