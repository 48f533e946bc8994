#!/usr/bin/env node
import { parseArgs } from "node:util";
import { ApiError, errorCatalogue } from "../errors.ts";
import { nearestName } from "../settings/nearest-name.ts";
import { ownerUrl } from "../settings/owner-settings.ts";
import { settings } from "../settings/settings.ts";
import { readVersion } from "../settings/version.ts";
import {
  type Command,
  type Commands,
  fail,
  type Options,
  type Report,
  UsageError,
} from "./command.ts";
import { loadCommands } from "./command-groups.ts";

async function main(): Promise<string> {
  const args = process.argv.slice(2);
  const end = args.findIndex((arg) => arg.startsWith("-"));
  const name = args.slice(0, end < 0 ? undefined : end).join(" ");
  if (args.includes("--version")) return readVersion();
  if (args.includes("--help")) return renderHelp(name);
  const command = (await loadCommands(args[0]))[name] ?? fail(await describeUnknown(name));
  const options = parse(name, command, end < 0 ? [] : args.slice(end));
  return render(await command.run(options), options["json"] === true);
}

/** Every command has its own options: those of another are unknown to it. */
function parse(name: string, command: Command, args: string[]): Options {
  try {
    return parseArgs({ args, options: optionsOf(command) }).values;
  } catch (error) {
    const [reason = ""] = (error instanceof Error ? error.message : String(error)).split(/[.\n]/);
    return fail(`${reason}.\n\n${renderUsage({ [name]: command })}`);
  }
}

/** Returns the help of one command, of all commands of a noun, or of everything. */
async function renderHelp(name: string): Promise<string> {
  return renderUsage(startingWith(name, await loadCommands(undefined)));
}

function startingWith(name: string, commands: Commands): Commands {
  const named = Object.entries(commands).filter(([one]) => `${one} `.startsWith(`${name} `));
  return named.length === 0 ? commands : Object.fromEntries(named);
}

/** Options with a value are followed by its name in capitals. */
function optionsOf({ takes }: Command): Record<string, { type: "string" | "boolean" }> {
  const options = [...takes.matchAll(/--([a-z-]+)( [A-Z])?/g)].map(([, name = "", value]) => {
    const type = value === undefined ? ("boolean" as const) : ("string" as const);
    return [name, { type }] as const;
  });
  return { json: { type: "boolean" }, ...Object.fromEntries(options) };
}

async function describeUnknown(name: string): Promise<string> {
  const commands = await loadCommands(undefined);
  if (name === "") return renderUsage(commands);
  const ofNoun = startingWith(name, commands);
  if (ofNoun !== commands) return `'${name}' needs a verb.\n\n${renderUsage(ofNoun)}`;
  const nearest = nearestName(name, Object.keys(commands));
  const hint = nearest === null ? "" : ` Did you mean '${nearest}'?`;
  return `There is no command '${name}'.${hint}\n\n${renderUsage(commands)}`;
}

function renderUsage(commands: Commands): string {
  const lines = Object.entries(commands).map(([name, { takes, does }]) =>
    [`  ${name} ${takes}`.trimEnd(), ...(does === undefined ? [] : [`      ${does}`])].join("\n"),
  );
  return `Commands that need the database itself, or files of the machine. Everything else is 'zoetrope admin'.
They read ${settings.database.url.name}; 'migrate' and 'account erase' read ${ownerUrl.name}. With --json the output is JSON.

${lines.join("\n")}`;
}

function render({ facts, next }: Report, asJson: boolean): string {
  if (asJson) return JSON.stringify(facts);
  const rows = Array.isArray(facts) ? facts : [facts];
  const lines = rows.map((row) =>
    Object.entries(row)
      .map(([name, value]) => `${name} ${value ?? "-"}`)
      .join("  "),
  );
  if (rows.length === 0) lines.push("none");
  if (next !== undefined) lines.push(`Next: ${next}.`);
  return lines.join("\n");
}

/**
 * Whether the error is a mistake in the command line, such as an unknown id. A state that forbids the
 * command is a failure.
 */
function isMistake(error: unknown): boolean {
  if (error instanceof ApiError) return [400, 404].includes(errorCatalogue[error.code].status);
  return error instanceof UsageError;
}

try {
  process.stdout.write(`${await main()}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = isMistake(error) ? 2 : 1;
}
