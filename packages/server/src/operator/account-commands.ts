import { changeAccount } from "../admin/accounts/change-account.ts";
import { openAccount } from "../admin/accounts/open-account.ts";
import { requireAccount } from "../admin/accounts/require-account.ts";
import { resumeAccount, suspendAccount } from "../admin/accounts/suspend-account.ts";
import { bytesPerMegabyte, readOwnLimits } from "../assets/library-queries.ts";
import type { Place } from "../context.ts";
import type { Db } from "../db/database.ts";
import type { AccountId } from "../ids.ts";
import { tailHoursMax } from "../webhooks/schedule.ts";
import {
  type Commands,
  fail,
  type Options,
  type Report,
  readId,
  readOptionalCount,
  readText,
} from "./command.ts";
import { commandActor } from "./command-actor.ts";
import { keyRingFor, withDatabase } from "./with-database.ts";

export const accountCommands: Commands = {
  "account create": {
    takes: "--name NAME [--schedule A|B] [--open-tasks-max N]",
    run: (options) => withDatabase((_db, _pool, place) => create(place, options)),
  },
  "account webhooks": {
    takes: "--account ID --tail-hours N",
    does: `sets for how long callbacks are retried after the usual four attempts, 0 to ${tailHoursMax} hours; applies to new and open deliveries`,
    run: (options) => withDatabase((_db, _pool, place) => setTailHours(place, options)),
  },
  "account suspend": {
    takes: "--account ID --reason TEXT",
    does: "accepts nothing new from the account; running tasks finish, and everything can be read",
    run: (options) => withDatabase((db) => suspend(db, options)),
  },
  "account resume": {
    takes: "--account ID --reason TEXT",
    run: (options) => withDatabase((db) => resume(db, options)),
  },
  "account library": {
    takes: "--account ID [--open-assets-max N] [--open-uploads-max N] [--stored-megabytes-max N]",
    does: "shows what is stored; sets limits for this account",
    run: (options) => withDatabase((_db, _pool, place) => library(place, options)),
  },
};

async function create(place: Place, options: Options): Promise<Report> {
  const schedule = options["schedule"];
  if (schedule !== undefined && schedule !== "A" && schedule !== "B") fail("--schedule is A or B");
  const openTasksMax = readOptionalCount(options, "open-tasks-max");
  const { accountId, webhookSecret } = await openAccount(
    { ...place, keyRing: await keyRingFor(place.db) },
    commandActor(),
    {
      name: readText(options, "name"),
      ...(schedule === undefined ? {} : { priceSchedule: schedule }),
      ...(openTasksMax === null ? {} : { openTasksMax }),
    },
  );
  return {
    facts: { account: accountId, "webhook-secret": webhookSecret },
    next: `run 'credits grant --account ${accountId} --credits N --note TEXT'`,
  };
}

async function suspend(db: Db, options: Options): Promise<Report> {
  const accountId = readId<AccountId>(options, "account");
  await suspendAccount({ db }, commandActor(), accountId, readText(options, "reason"));
  return { facts: { suspended: accountId }, next: "every api process knows within 5 s" };
}

async function resume(db: Db, options: Options): Promise<Report> {
  const accountId = readId<AccountId>(options, "account");
  await resumeAccount({ db }, commandActor(), accountId, readText(options, "reason"));
  return { facts: { resumed: accountId } };
}

async function setTailHours(place: Place, options: Options): Promise<Report> {
  const hours = Number(readText(options, "tail-hours"));
  if (!Number.isInteger(hours) || hours < 0 || hours > tailHoursMax)
    fail(`--tail-hours must be a whole number from 0 to ${tailHoursMax}.`);
  const change = { webhookTailHours: hours };
  await changeAccount(place, commandActor(), readId(options, "account"), change);
  return { facts: { "tail-hours": hours } };
}

async function library(place: Place, options: Options): Promise<Report> {
  const accountId = readId<AccountId>(options, "account");
  const assets = readOptionalCount(options, "open-assets-max");
  const uploads = readOptionalCount(options, "open-uploads-max");
  const megabytes = readOptionalCount(options, "stored-megabytes-max");
  const limits = {
    ...(assets === null ? {} : { openAssetsMax: assets }),
    ...(uploads === null ? {} : { openUploadsMax: uploads }),
    ...(megabytes === null ? {} : { storedBytesMax: megabytes * bytesPerMegabyte }),
  };
  if (Object.keys(limits).length > 0) await changeAccount(place, commandActor(), accountId, limits);
  await requireAccount(place.db, accountId);
  const own = await readOwnLimits(place.db, accountId);
  return {
    facts: [
      {
        "stored-bytes": own.storedBytes,
        "open-assets-max": own.openAssetsMax,
        "open-uploads-max": own.openUploadsMax,
        "stored-bytes-max": own.storedBytesMax,
      },
    ],
  };
}
