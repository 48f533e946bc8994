#!/usr/bin/env node
import { parseArgs } from "node:util";
import { ApiError, errorCatalogue } from "../errors.ts";
import { ownerUrl, settings } from "../settings.ts";
import { accountCommands } from "./account-commands.ts";
import { assetCommands } from "./asset-commands.ts";
import { type Commands, fail, type Report, UsageError } from "./command.ts";
import { creditsCommands } from "./credits-commands.ts";
import { keyCommands } from "./key-commands.ts";
import { ledgerCommands } from "./ledger-commands.ts";
import { libraryCommands } from "./library-commands.ts";
import { migrateCommands } from "./migrate-command.ts";
import { nearestCommand } from "./nearest-command.ts";
import { personCommands } from "./person-commands.ts";
import { privacyCommands } from "./privacy/privacy-commands.ts";
import { reconcileCommands } from "./reconcile/reconcile-commands.ts";
import { secretsCommands } from "./secrets-commands.ts";
import { stuckCommands } from "./stuck-commands.ts";
import { taskCommands } from "./task-commands.ts";
import { vendorCommands } from "./vendor-commands.ts";

const commands: Commands = {
  ...migrateCommands,
  ...accountCommands,
  ...privacyCommands,
  ...personCommands,
  ...keyCommands,
  ...creditsCommands,
  ...ledgerCommands,
  ...secretsCommands,
  ...libraryCommands,
  ...assetCommands,
  ...taskCommands,
  ...stuckCommands,
  ...vendorCommands,
  ...reconcileCommands,
};

async function main(): Promise<string> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: optionsOf(commands),
  });
  const name = positionals.join(" ");
  const command = commands[name] ?? fail(describeUnknown(name));
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

function describeUnknown(name: string): string {
  if (name === "") return renderUsage();
  const nearest = nearestCommand(name, Object.keys(commands));
  const hint = nearest === null ? "" : ` Did you mean '${nearest}'?`;
  return `There is no command '${name}'.${hint}\n\n${renderUsage()}`;
}

function renderUsage(): string {
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
