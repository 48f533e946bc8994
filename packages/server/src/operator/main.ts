#!/usr/bin/env node
import { parseArgs } from "node:util";
import { ApiError, errorCatalogue } from "../errors.ts";
import { ownerUrl } from "../owner-settings.ts";
import { settings } from "../settings.ts";
import { type Commands, fail, type Report, UsageError } from "./command.ts";
import { loadCommands } from "./command-groups.ts";
import { nearestCommand } from "./nearest-command.ts";

async function main(): Promise<string> {
  const commands = await loadCommands(process.argv[2]);
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: optionsOf(commands),
  });
  const name = positionals.join(" ");
  const command = commands[name] ?? fail(await describeUnknown(name));
  return render(await command.run(values), values["json"] === true);
}

/** Options with a value are followed by its name in capitals. */
function optionsOf(all: Commands): Record<string, { type: "string" | "boolean" }> {
  const options = Object.values(all).flatMap(({ takes }) =>
    [...takes.matchAll(/--([a-z-]+)( [A-Z])?/g)].map(([, name = "", value]) => {
      const type = value === undefined ? ("boolean" as const) : ("string" as const);
      return [name, { type }] as const;
    }),
  );
  return { json: { type: "boolean" }, ...Object.fromEntries(options) };
}

async function describeUnknown(name: string): Promise<string> {
  const commands = await loadCommands(undefined);
  if (name === "") return renderUsage(commands);
  const nearest = nearestCommand(name, Object.keys(commands));
  const hint = nearest === null ? "" : ` Did you mean '${nearest}'?`;
  return `There is no command '${name}'.${hint}\n\n${renderUsage(commands)}`;
}

function renderUsage(commands: Commands): string {
  const lines = Object.entries(commands).map(([name, { takes, does }]) =>
    [`  ${name} ${takes}`.trimEnd(), ...(does === undefined ? [] : [`      ${does}`])].join("\n"),
  );
  return `Operator commands. They read ${settings.database.url.name}; 'migrate' and 'account erase' read ${ownerUrl.name}.
With --json the output is JSON.

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

/** In the command line: also an id of nothing. What the state of things forbids is a failure. */
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
