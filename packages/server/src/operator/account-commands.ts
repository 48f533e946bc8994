import { createAccount } from "../accounts/create-account.ts";
import { bytesPerMegabyte, setLibraryLimits, showLibrary } from "../assets/library-queries.ts";
import type { Db } from "../db/database.ts";
import type { AccountId } from "../ids.ts";
import { setTail } from "../webhooks/record.ts";
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
import { keyRingFor, withDatabase } from "./with-database.ts";

export const accountCommands: Commands = {
  "account create": {
    takes: "--name NAME [--schedule A|B] [--open-tasks-max N]",
    run: (options) => withDatabase((db) => create(db, options)),
  },
  "account webhooks": {
    takes: "--account ID --tail-hours N",
    does: `sets for how long callbacks are retried after the usual four attempts, 0 to ${tailHoursMax} hours; applies to new and open deliveries`,
    run: (options) => withDatabase((db) => setTailHours(db, options)),
  },
  "account library": {
    takes: "--account ID [--open-assets-max N] [--open-uploads-max N] [--stored-megabytes-max N]",
    does: "shows what is stored; sets limits for this account",
    run: (options) => withDatabase((db) => library(db, options)),
  },
};

async function create(db: Db, options: Options): Promise<Report> {
  const schedule = options["schedule"];
  if (schedule !== undefined && schedule !== "A" && schedule !== "B") fail("--schedule is A or B");
  const openTasksMax = readOptionalCount(options, "open-tasks-max");
  const { accountId, webhookSecret } = await createAccount(
    { db, keyRing: await keyRingFor(db) },
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

async function setTailHours(db: Db, options: Options): Promise<Report> {
  const hours = Number(readText(options, "tail-hours"));
  if (!Number.isInteger(hours) || hours < 0 || hours > tailHoursMax)
    fail(`--tail-hours must be a whole number from 0 to ${tailHoursMax}.`);
  if (!(await setTail(db, readId(options, "account"), hours)))
    fail("There is no account with this id.");
  return { facts: { "tail-hours": hours } };
}

async function library(db: Db, options: Options): Promise<Report> {
  const accountId = readId<AccountId>(options, "account");
  const megabytes = readOptionalCount(options, "stored-megabytes-max");
  const limits = {
    openAssetsMax: readOptionalCount(options, "open-assets-max"),
    openUploadsMax: readOptionalCount(options, "open-uploads-max"),
    storedBytesMax: megabytes === null ? null : megabytes * bytesPerMegabyte,
  };
  if (!(await setLibraryLimits(db, accountId, limits))) fail("There is no account with this id.");
  return { facts: [await showLibrary(db, accountId)] };
}
