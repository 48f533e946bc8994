import { setTimeout as pause } from "node:timers/promises";
import { pauseVendor } from "../admin/vendors/change-vendor.ts";
import { type Change, recordAudit } from "../audit/record-audit.ts";
import type { Place } from "../context.ts";
import { type Db, inTransaction, type Tx } from "../db/database.ts";
import type { AuditValues } from "../db/tables/audit.ts";
import { models } from "../models/catalogue.ts";
import {
  type AccountRow,
  accountsMax,
  countOpenJobs,
  findAccount,
  insertAccount,
  listAccounts,
  markRemoved,
  readUse,
  replaceCredentials,
} from "../vendor-accounts/queries.ts";
import { readAccount, storedCredentials } from "../vendor-accounts/read-account.ts";
import { vendorKinds } from "../vendors/catalogue.ts";
import { checkAccount } from "../vendors/check-account.ts";
import {
  type Commands,
  fail,
  type Options,
  type Report,
  readList,
  readOptionalCount,
  readText,
} from "./command.ts";
import { commandActor } from "./command-actor.ts";
import { readKey } from "./read-key.ts";
import { requireKeyRing, withDatabase } from "./with-database.ts";

const weightUsual = 100;
/** After this long every process has read a change. */
const everywhereMs = 5_000;
const openJobsShownMax = 100_000;
const everywhere = "every process knows within 5 s";

export const vendorCommands: Commands = {
  "vendor add": {
    takes:
      "--name NAME --kind KIND --base-url URL [--key-file PATH] [--models A,B] [--weight N] [--open-jobs-max N] [--credits-per-day-max N] [--settings JSON] [--test] [--unchecked]",
    does: "adds a vendor account while the service runs. The key comes from --key-file or standard input and is tested first, unless --unchecked",
    run: (options) => withDatabase((_db, _pool, { home }) => add(home.db, options)),
  },
  "vendor list": {
    takes: "",
    does: "lists the vendor accounts of the database; those of the setting VENDORS are not shown",
    run: () => withDatabase((_db, _pool, place) => list(place)),
  },
  "vendor test": {
    takes: "--name NAME",
    does: "makes a call that costs nothing and says what works",
    run: (options) => withDatabase((_db, _pool, { home }) => test(home.db, options)),
  },
  "vendor pause": {
    takes: "--name NAME",
    does: "submits nothing more there; open jobs are polled and collected until they end",
    run: (options) => withDatabase((_db, _pool, place) => setState(place, options, true)),
  },
  "vendor resume": {
    takes: "--name NAME",
    run: (options) => withDatabase((_db, _pool, place) => setState(place, options, false)),
  },
  "vendor rotate": {
    takes: "--name NAME [--key-file PATH] [--unchecked]",
    does: "replaces the key and waits until every process uses the new one. It is tested first, unless --unchecked",
    run: (options) => withDatabase((_db, _pool, { home }) => rotate(home.db, options)),
  },
  "vendor remove": {
    takes: "--name NAME",
    does: "as pause, for good; the key is deleted when no job is open there",
    run: (options) => withDatabase((_db, _pool, place) => remove(place, options)),
  },
};

async function add(db: Db, options: Options): Promise<Report> {
  const ring = requireKeyRing();
  const account = readSettings(options);
  const { name } = account;
  const inUse = (await listAccounts(db)).filter(({ removedAt }) => removedAt === null);
  if (inUse.length >= accountsMax) fail(`There are at most ${accountsMax} vendor accounts.`);
  const credentials = storedCredentials(ring, name, await readKey(options));
  const row = { ...account, credentials };
  const result = await check(row, options);
  const { kind, weight } = account;
  const isNew = await audited(db, { name, action: "vendor.add", after: { kind, weight } }, (tx) =>
    insertAccount(tx, row),
  );
  if (!isNew) fail(`There is a vendor account ${name} already.`);
  return { facts: { name, result }, next: `nothing: ${everywhere}` };
}

function readSettings(options: Options) {
  const kinds = vendorKinds.map(({ kind }) => kind);
  const kind = readText(options, "kind");
  if (!kinds.includes(kind)) fail(`--kind is one of ${kinds.join(", ")}.`);
  const settings = {
    ...readJson(options),
    baseUrl: readText(options, "base-url"),
    isTest: options["test"] === true,
  };
  return {
    ...{ name: readText(options, "name"), kind, settings },
    models: readList(
      options,
      "models",
      models.map((model) => model.name),
    ),
    weight: readWeight(options),
    openJobsMax: readOptionalCount(options, "open-jobs-max"),
    creditsPerDayMax: readOptionalCount(options, "credits-per-day-max"),
  };
}

/** The settings of the kind, such as pollsPerSecond. */
function readJson(options: Options): Record<string, unknown> {
  if (options["settings"] === undefined) return {};
  try {
    const given: unknown = JSON.parse(readText(options, "settings"));
    if (typeof given === "object" && given !== null && !("apiKey" in given)) return { ...given };
  } catch {
    // refused below
  }
  return fail("--settings must be a JSON object without apiKey.");
}

function readWeight(options: Options): number {
  if (options["weight"] === undefined) return weightUsual;
  const weight = Number(readText(options, "weight"));
  if (!Number.isInteger(weight) || weight < 0 || weight > 1000)
    fail("--weight must be a whole number from 0 to 1000.");
  return weight;
}

type UnsavedRow = Pick<AccountRow, "name" | "kind" | "settings" | "credentials" | "models"> &
  Pick<AccountRow, "weight" | "openJobsMax" | "creditsPerDayMax">;

/** Before a key is stored: one that does not work would make tasks fail. */
async function check(row: UnsavedRow, options: Options): Promise<string> {
  const account = open({ ...row, pausedAt: null, removedAt: null });
  if (options["unchecked"] === true) return "not tested";
  const { works, result } = await checkAccount(account);
  return works ? result : fail(`Nothing was changed: ${result}.`);
}

function open(row: Omit<AccountRow, "version">) {
  try {
    return readAccount(requireKeyRing(), row);
  } catch (error) {
    return fail(`The account cannot be used: ${error instanceof Error ? error.message : error}`);
  }
}

async function requireAccount(db: Db, options: Options): Promise<AccountRow> {
  const row = await findAccount(db, readText(options, "name"));
  if (row === undefined || row.removedAt !== null)
    return fail("There is no vendor account with this name in the database.");
  return row;
}

/** The accounts are at home; what they do is what this shard has them do. */
async function list({ db, home }: Place): Promise<Report> {
  const facts = [];
  for (const row of await listAccounts(home.db)) {
    const { creditsToday, failures, skippedUntil } = await readUse(db, row.name);
    const { baseUrl, isTest } = row.settings;
    facts.push({
      name: row.name,
      kind: row.kind,
      state: row.removedAt !== null ? "removed" : row.pausedAt !== null ? "paused" : "open",
      url: String(baseUrl),
      for: isTest === true ? "test keys" : "live keys",
      models: row.models?.join(",") ?? "all",
      weight: row.weight,
      "open-jobs": await countOpenJobs(db, row.name, openJobsShownMax),
      "open-jobs-max": row.openJobsMax,
      "credits-today": row.creditsPerDayMax === null ? null : creditsToday,
      "credits-per-day-max": row.creditsPerDayMax,
      failures,
      "skipped-until": skippedUntil?.toISOString() ?? null,
    });
  }
  return { facts };
}

async function test(db: Db, options: Options): Promise<Report> {
  const row = await requireAccount(db, options);
  const { works, result } = await checkAccount(open(row));
  if (!works) throw new Error(`${row.name}: ${result}.`);
  return { facts: { name: row.name, result } };
}

async function setState({ db, home }: Place, options: Options, isPaused: boolean): Promise<Report> {
  const { name } = await requireAccount(home.db, options);
  await pauseVendor(home, commandActor(), name, isPaused);
  if (!isPaused) return { facts: { name, state: "open" }, next: `nothing: ${everywhere}` };
  return { facts: { name, state: "paused" }, next: await describeOpen(db, name) };
}

async function rotate(db: Db, options: Options): Promise<Report> {
  const row = await requireAccount(db, options);
  const { name } = row;
  const credentials = storedCredentials(requireKeyRing(), name, await readKey(options));
  const result = await check({ ...row, credentials }, options);
  const isReplaced = await audited(db, { name, action: "vendor.rotate" }, (tx) =>
    replaceCredentials(tx, { name, from: row.credentials, to: credentials }),
  );
  if (!isReplaced)
    throw new Error("The key was changed by somebody else meanwhile. Nothing was changed.");
  await pause(everywhereMs);
  return { facts: { name, result }, next: "revoke the old key at the vendor" };
}

async function remove({ db, home }: Place, options: Options): Promise<Report> {
  const { name } = await requireAccount(home.db, options);
  await audited(home.db, { name, action: "vendor.remove" }, (tx) => markRemoved(tx, name));
  const then = `${await describeOpen(db, name)}; then the key is deleted here, and can be revoked at the vendor`;
  return { facts: { name, state: "removed" }, next: then };
}

/** Makes a change and records it with whoever runs the command; one that has no effect is not recorded. */
async function audited(
  db: Db,
  { name, action, after }: { name: string; action: Change["action"]; after?: AuditValues },
  change: (tx: Tx) => Promise<boolean>,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const isChanged = await change(tx);
    const values = after === undefined ? {} : { after };
    if (isChanged)
      await recordAudit(tx, commandActor(), { accountId: null, action, object: name, ...values });
    return isChanged;
  });
}

async function describeOpen(db: Db, name: string): Promise<string> {
  const count = await countOpenJobs(db, name, openJobsShownMax);
  return `nothing: ${everywhere}, and ${count} open jobs are polled and collected until they end`;
}
