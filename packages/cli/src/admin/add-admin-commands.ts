import type { Command } from "commander";
import { act } from "../commands/act.ts";
import type { Run } from "../run.ts";
import type { AdminNoun } from "./admin-command.ts";
import { accounts, keys } from "./nouns/accounts.ts";
import { assets } from "./nouns/assets.ts";
import { costs } from "./nouns/costs.ts";
import { grantLimit, grants } from "./nouns/credits.ts";
import { labelAgreements } from "./nouns/label-agreements.ts";
import { people } from "./nouns/people.ts";
import { prices } from "./nouns/prices.ts";
import { banner, models } from "./nouns/switches.ts";
import { audit, ledger, stuck, system } from "./nouns/system.ts";
import { tasks } from "./nouns/tasks.ts";
import { vendors } from "./nouns/vendors.ts";

const nouns: readonly AdminNoun[] = [
  accounts,
  keys,
  grants,
  grantLimit,
  labelAgreements,
  tasks,
  vendors,
  prices,
  costs,
  people,
  assets,
  models,
  banner,
  audit,
  stuck,
  ledger,
  system,
];

/** Every command of `zoetrope admin`, a client of the operator API. */
export function addAdminCommands(admin: Command, run: Run): void {
  admin.option(
    "--shard <number>",
    "the database whose rows are listed or made; the first one if left out",
  );
  admin
    .command("login")
    .description("keep a service key; it is asked for, or read from stdin")
    .action(act(run, async () => (await import("./admin-login.ts")).adminLogin));
  admin
    .command("logout")
    .description("forget the service key of a service")
    .action(act(run, async () => (await import("./admin-login.ts")).adminLogout));
  for (const { name, about, commands } of nouns) {
    const noun = admin.command(name).description(about);
    for (const one of commands) {
      const command = noun.command(one.usage).description(one.does);
      for (const option of one.options ?? []) command.addOption(option);
      const load = async () => {
        const { runAdminCommand } = await import("./run-admin-command.ts");
        return runAdminCommand(one);
      };
      command.action(act(run, load));
    }
  }
}
