import { dropStuck, listStuck, retryStuck } from "../admin/stuck/stuck-rows.ts";
import type { Db } from "../db/database.ts";
import { type Commands, type Report, readText } from "./command.ts";
import { commandActor } from "./command-actor.ts";
import { withDatabase } from "./with-database.ts";

export const stuckCommands: Commands = {
  "stuck list": {
    takes: "",
    does: "lists the rows that a loop of the workers fails at; parked: the loop no longer retries the row",
    run: () => withDatabase(list),
  },
  "stuck retry": {
    takes: "--loop NAME [--key KEY]",
    does: "clears the failures, so that the loop retries the row, or all its rows, now",
    run: (options) =>
      withDatabase(async (db) => {
        const key = options["key"] === undefined ? null : readText(options, "key");
        const loop = readText(options, "loop");
        return {
          facts: { retried: await retryStuck({ db }, commandActor(), { loop, key }) },
          next: "run 'stuck list' in a minute: rows that still fail are listed again",
        };
      }),
  },
  "stuck drop": {
    takes: "--loop NAME --key KEY",
    does: "abandons the row: a task fails and its hold is released, a delivery is abandoned, the record of a file is deleted",
    run: (options) =>
      withDatabase(async (db) => {
        const [loop, key] = [readText(options, "loop"), readText(options, "key")];
        const next = await dropStuck({ db }, commandActor(), { loop, key });
        return { facts: { dropped: key }, next };
      }),
  },
};

async function list(db: Db): Promise<Report> {
  const rows = await listStuck(db);
  const [first] = rows;
  return {
    facts: rows.map(({ loop, key, accountId, firstFailedAt, failures, parkedAt, reason }) => ({
      loop,
      key,
      account: accountId,
      since: firstFailedAt.toISOString(),
      failures,
      parked: parkedAt?.toISOString() ?? null,
      reason,
    })),
    ...(first === undefined
      ? {}
      : {
          next: `fix the cause, then run 'stuck retry --loop "${first.loop}" --key ${first.key}', or abandon the row with 'stuck drop'`,
        }),
  };
}
