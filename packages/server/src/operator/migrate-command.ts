import { migrate } from "../db/migrate.ts";
import { shardsMax } from "../ids.ts";
import { ownerUrl } from "../settings/owner-settings.ts";
import { type Commands, fail, type Options, type Report, readCount, readText } from "./command.ts";
import { becomeShard } from "./shards/become-shard.ts";
import { databaseUrl } from "./with-database.ts";

export const migrateCommands: Commands = {
  migrate: {
    takes: "[--wait-seconds N] [--shard N]",
    does: "applies new migrations; N is the total time to wait for locks, 600 by default. --shard makes an empty database the shard of that number",
    run: applyMigrations,
  },
};

async function applyMigrations(options: Options): Promise<Report> {
  const shard = options["shard"] === undefined ? null : Number(readText(options, "shard"));
  if (shard !== null && !(Number.isInteger(shard) && shard >= 0 && shard < shardsMax))
    fail(`--shard is a whole number from 0 to ${shardsMax - 1}.`);
  const applied = await migrate(databaseUrl(ownerUrl), {
    waitMsMax:
      options["wait-seconds"] === undefined ? undefined : 1000 * readCount(options, "wait-seconds"),
    onWait: (message) => process.stderr.write(`${message}\n`),
  });
  if (shard !== null) await becomeShard(databaseUrl(ownerUrl), shard);
  return {
    facts: { applied: applied.join(", ") || "nothing: the database is up to date" },
    next: "a new deployment needs its first operator: 'person create-operator --email ADDRESS'",
  };
}
