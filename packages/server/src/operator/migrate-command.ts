import { migrate } from "../db/migrate.ts";
import { ownerUrl } from "../settings.ts";
import { type Commands, type Options, type Report, readCount } from "./command.ts";
import { databaseUrl } from "./with-database.ts";

export const migrateCommands: Commands = {
  migrate: {
    takes: "[--wait-seconds N]",
    does: "applies new migrations; N is the total time to wait for locks, 600 by default",
    run: applyMigrations,
  },
};

async function applyMigrations(options: Options): Promise<Report> {
  const applied = await migrate(databaseUrl(ownerUrl), {
    ...(options["wait-seconds"] === undefined
      ? {}
      : { waitMsMax: 1000 * readCount(options, "wait-seconds") }),
    onWait: (message) => process.stderr.write(`${message}\n`),
  });
  return {
    facts: { applied: applied.join(", ") || "nothing: the database is up to date" },
    next: "run 'account create --name NAME'",
  };
}
