#!/usr/bin/env node
import { parseArgs } from "node:util";
import type { Pool } from "pg";
import { createAccount } from "../accounts/create-account.ts";
import { createKey } from "../accounts/create-key.ts";
import { createTestAccount } from "../accounts/create-test-account.ts";
import { type KeyLimits, listKeys, markKeyRevoked } from "../accounts/queries.ts";
import {
  bytesPerMegabyte,
  findMiscounted,
  recountLibrary,
  setLibraryLimits,
  showLibrary,
} from "../assets/library-queries.ts";
import { listWaiting } from "../assets/queries.ts";
import { decideByHand, revokeByHand } from "../assets/review/decide-by-hand.ts";
import { readEnvironment } from "../config.ts";
import { adjustCredits, grantCredits, readBalance } from "../credits/ledger.ts";
import { type Db, inTransaction, openDatabase, openPool } from "../db/database.ts";
import { migrate } from "../db/migrate.ts";
import { scopes } from "../db/schema.ts";
import { isId } from "../ids.ts";
import { vendorUrl } from "../media/storage/signed-link.ts";
import { models } from "../models/catalogue.ts";
import { upscalerModel } from "../models/upscaler.ts";
import { findTask } from "../tasks/queries.ts";
import { listSubmitsOf } from "../tasks/submit-queries.ts";
import { verifyLedger } from "../tasks/verify-ledger.ts";
import { listSegments } from "../upscale/queries.ts";
import { setTail } from "../webhooks/record.ts";
import { tailHoursMax } from "../webhooks/schedule.ts";
import { dropStuck, listStuck, retryStuck } from "./stuck-commands.ts";

const usage = `Operator commands. They read DATABASE_URL; 'migrate' reads DATABASE_OWNER_URL.
With --json they print facts for programs.

  migrate [--wait-seconds N]   (how long it waits in all for locks that others hold; 600)
  account create --name NAME [--schedule A|B] [--open-tasks-max N]
  account webhooks --account ID --tail-hours N   (0 to 72: how long callbacks are tried
             after the usual four attempts; for those made from now on and those still open)
  account library --account ID [--open-assets-max N] [--open-uploads-max N]
             [--stored-megabytes-max N]   (shows what is stored; sets limits of the account's own)
  credits grant --account ID --credits N --note TEXT
  credits adjust --account ID --credits N --note TEXT   (N below 0 takes away)
  ledger verify
  library verify [--repair]   (whether every account's stored bytes are the sum of its copies)
  key create --account ID --name NAME [--budget CREDITS] [--models A,B] [--expires DATE]
             [--requests-per-minute N] [--scopes A,B] [--test]
             (--scopes: of ${scopes.join(", ")}; read is every GET, without it all;
             --test: runs on the sandbox, costs nothing real)
  key list --account ID
  key revoke --key ID
  asset approve --asset N --by NAME --reason TEXT
  asset refuse --asset N --by NAME --reason TEXT
  asset revoke --asset N --by NAME --reason TEXT   (new tasks refuse it at once)
  asset waiting   (those that a person has to decide about)
  task show --task ID   (with every submit, what the vendor said, and the segments of a video
             that is being made larger)
  stuck list   (rows that a loop of the workers fails at; parked: it does not try them any more)
  stuck retry --loop NAME [--key KEY]   (forgets the failures, so that the loop tries again now)
  stuck drop --loop NAME --key KEY   (gives the row up: a task fails and its hold is released, a
             delivery is given up, a file's record is forgotten)
`;

type Options = Record<string, string | boolean | undefined>;
/** What a command did, and what one would do next. */
interface Report {
  facts: Record<string, string | number> | Record<string, string | number | null>[];
  next?: string;
}
type Command = (options: Options) => Promise<Report>;

const commands: Record<string, Command> = {
  migrate: async (options) => {
    const applied = await migrate(setting("DATABASE_OWNER_URL"), {
      ...(options["wait-seconds"] === undefined
        ? {}
        : { waitMsMax: 1000 * count(options, "wait-seconds") }),
      onWait: (message) => process.stderr.write(`${message}\n`),
    });
    return {
      facts: { applied: applied.join(", ") || "nothing: the database is up to date" },
      next: "'account create --name NAME'",
    };
  },
  "account create": (options) =>
    withDb(async (db) => {
      const schedule = options["schedule"];
      if (schedule !== undefined && schedule !== "A" && schedule !== "B")
        fail("--schedule is A or B");
      const openTasksMax = options["open-tasks-max"];
      const { accountId, webhookSecret } = await createAccount(db, {
        name: text(options, "name"),
        ...(schedule === undefined ? {} : { priceSchedule: schedule }),
        ...(openTasksMax === undefined ? {} : { openTasksMax: count(options, "open-tasks-max") }),
      });
      const next = `'credits grant --account ${accountId} --credits N --note TEXT'`;
      return { facts: { account: accountId, "webhook-secret": webhookSecret }, next };
    }),
  "account webhooks": (options) =>
    withDb(async (db) => {
      const hours = Number(text(options, "tail-hours"));
      if (!Number.isInteger(hours) || hours < 0 || hours > tailHoursMax)
        fail(`--tail-hours must be a whole number from 0 to ${tailHoursMax}.`);
      if (!(await setTail(db, id(options, "account"), hours)))
        fail("There is no account with this id.");
      return { facts: { "tail-hours": hours } };
    }),
  "account library": (options) =>
    withDb(async (db) => {
      const accountId = id(options, "account");
      const limit = (name: string) => (options[name] === undefined ? null : count(options, name));
      const megabytes = limit("stored-megabytes-max");
      const limits = {
        openAssetsMax: limit("open-assets-max"),
        openUploadsMax: limit("open-uploads-max"),
        storedBytesMax: megabytes === null ? null : megabytes * bytesPerMegabyte,
      };
      if (!(await setLibraryLimits(db, accountId, limits)))
        fail("There is no account with this id.");
      return { facts: [await showLibrary(db, accountId)] };
    }),
  "library verify": (options) =>
    withDb(async (db) => {
      const wrong = await inTransaction(db, findMiscounted);
      if (options["repair"] === true)
        for (const { accountId } of wrong)
          await inTransaction(db, (tx) => recountLibrary(tx, accountId));
      else if (wrong.length > 0) process.exitCode = 1;
      return { facts: wrong.length > 0 ? wrong : { miscounted: 0 } };
    }),
  "credits grant": (options) =>
    withDb(async (db, pool) => {
      const accountId = id(options, "account");
      const grant = { accountId, credits: count(options, "credits"), note: text(options, "note") };
      await grantCredits(pool, grant);
      const { credits } = await readBalance(db, accountId);
      return { facts: { credits }, next: `'key create --account ${accountId} --name NAME'` };
    }),
  "credits adjust": (options) =>
    withDb(async (db, pool) => {
      const accountId = id(options, "account");
      const credits = Number(text(options, "credits"));
      if (!Number.isSafeInteger(credits) || credits === 0)
        fail("--credits must be a whole number, above or below 0.");
      await adjustCredits(pool, { accountId, credits, note: text(options, "note") });
      return { facts: await readBalance(db, accountId) };
    }),
  "ledger verify": () =>
    withDb(async (_db, pool) => {
      const { checked, breaches } = await verifyLedger(pool);
      const rows = breaches.flatMap(({ invariant, rows }) =>
        rows.map((row) => ({ breach: invariant, row: JSON.stringify(row) })),
      );
      if (rows.length > 0) process.exitCode = 1;
      return { facts: rows.length > 0 ? rows : { ...checked, breaches: 0 } };
    }),
  "key create": (options) =>
    withDb(async (db, pool) => {
      const order = { name: text(options, "name"), ...keyLimits(options) };
      const accountId = id(options, "account");
      const { keyId, key } = options["test"]
        ? await createTestKey(db, pool, accountId, order)
        : await createKey(db, { accountId, ...order });
      return { facts: { id: keyId, key }, next: "keep the key: it is shown this once" };
    }),
  "key list": (options) =>
    withDb(async (db) => {
      const keys = await listKeys(db, id(options, "account"));
      return {
        facts: keys.map((key) => ({
          id: key.id,
          key: `${key.hint}…`,
          name: key.name,
          created: key.createdAt.toISOString(),
          revoked: key.revokedAt?.toISOString() ?? null,
          expires: key.expiresAt?.toISOString() ?? null,
          models: key.models?.join(",") ?? null,
          budget: key.creditsMax === null ? null : `${key.creditsUsed} of ${key.creditsMax}`,
          scopes: key.scopes?.join(",") ?? null,
        })),
      };
    }),
  "key revoke": (options) =>
    withDb(async (db) => {
      const keyId = id(options, "key");
      if (!(await markKeyRevoked(db, keyId))) fail("There is no live key with this id.");
      return { facts: { revoked: keyId } };
    }),
  "asset approve": (options) => decide(options, "passed"),
  "asset refuse": (options) => decide(options, "refused"),
  "asset revoke": (options) =>
    withDb(async (db) => {
      const assetId = count(options, "asset");
      const [by, reason] = [text(options, "by"), text(options, "reason")];
      await revokeByHand(db, { assetId, by, reason });
      return { facts: { revoked: assetId } };
    }),
  "asset waiting": () =>
    withDb(async (db) => ({ facts: (await listWaiting(db)).map(describeWaiting) })),
  "stuck list": () => withDb(listStuck),
  "stuck retry": (options) =>
    withDb(async (db) => {
      const key = options["key"] === undefined ? null : text(options, "key");
      return (
        (await retryStuck(db, text(options, "loop"), key)) ?? fail("There is no such stuck row.")
      );
    }),
  "stuck drop": (options) =>
    withDb(
      async (db) =>
        (await dropStuck(db, text(options, "loop"), text(options, "key"))) ??
        fail("There is no such stuck row."),
    ),
  "task show": (options) => withDb((db) => showTask(db, id(options, "task"))),
};

async function showTask(db: Db, taskId: string): Promise<Report> {
  const task = (await findTask(db, taskId)) ?? fail("There is no task with this id.");
  const submits = await listSubmitsOf(db, taskId);
  const segments = await listSegments(db, taskId);
  const about = `${task.status} ${task.error_code ?? ""}`.trim();
  return {
    facts: [
      { at: task.created_at.toISOString(), what: "created", vendor: null, job: null, said: about },
      ...submits.map((submit) => ({
        at: submit.startedAt.toISOString(),
        what: submit.outcome ?? "submitting, or its process died",
        vendor: submit.vendorAccount,
        job: submit.vendorJobId,
        said: submit.detail,
      })),
      ...segments.map((segment) => ({
        at: null,
        what: `segment ${segment.number}`,
        vendor: null,
        job: segment.vendorJobId,
        said: segment.failure ?? `${segment.framesDone} of ${segment.frames} frames`,
      })),
    ],
  };
}

function decide(options: Options, verdict: "passed" | "refused"): Promise<Report> {
  return withDb(async (db) => {
    const assetId = count(options, "asset");
    const [by, reason] = [text(options, "by"), text(options, "reason")];
    await decideByHand(db, { assetId, by, verdict, reason });
    return { facts: { asset: assetId, verdict } };
  });
}

function describeWaiting(asset: Awaited<ReturnType<typeof listWaiting>>[number]) {
  const { id, type, storageKey, createdAt, doubt } = asset;
  return { asset: id, type, file: linkTo(storageKey), uploaded: createdAt.toISOString(), doubt };
}

/** A link that opens the file, where the settings of the api are at hand; its key otherwise. */
function linkTo(storageKey: string | null): string | null {
  const { PUBLIC_URL, VENDOR_CALLBACK_SECRET } = readEnvironment();
  if (storageKey === null || !PUBLIC_URL || !VENDOR_CALLBACK_SECRET) return storageKey;
  return vendorUrl(
    { PUBLIC_URL: PUBLIC_URL.replace(/\/+$/, ""), VENDOR_CALLBACK_SECRET },
    storageKey,
  );
}

const testCredits = 1_000_000;

/** A test-mode key spends the credits of the account's twin, which nobody paid for. */
async function createTestKey(
  db: Db,
  pool: Pool,
  ofAccount: string,
  order: { name: string } & Partial<KeyLimits>,
) {
  const { accountId, isNew } = await createTestAccount(db, ofAccount);
  if (isNew) await grantCredits(pool, { accountId, credits: testCredits, note: "test credits" });
  return createKey(db, { accountId, mode: "test", ...order });
}

class UsageError extends Error {}

function fail(message: string): never {
  throw new UsageError(message);
}

function setting(name: string): string {
  return readEnvironment()[name] ?? fail(`Set ${name} to a PostgreSQL URL.`);
}

function text(options: Options, name: string): string {
  const value = options[name];
  return typeof value === "string" && value !== "" ? value : fail(`--${name} is missing.`);
}

function count(options: Options, name: string): number {
  const value = Number(text(options, name));
  if (!Number.isSafeInteger(value) || value <= 0) fail(`--${name} must be a whole number above 0.`);
  return value;
}

function keyLimits(options: Options): Partial<KeyLimits> {
  const chosenModels = list(options, "models", [...models.map(({ name }) => name), upscalerModel]);
  const expiresAt = options["expires"] === undefined ? null : new Date(text(options, "expires"));
  if (expiresAt !== null && Number.isNaN(expiresAt.getTime()))
    fail("--expires must be a date such as 2030-12-31.");
  const optional = (name: string) => (options[name] === undefined ? null : count(options, name));
  return {
    models: chosenModels,
    scopes: list(options, "scopes", scopes),
    expiresAt,
    creditsMax: optional("budget"),
    requestsPerMinuteMax: optional("requests-per-minute"),
  };
}

/** Some of those that there are; `null` where the option is left out. */
function list<Name extends string>(options: Options, name: string, known: readonly Name[]) {
  if (options[name] === undefined) return null;
  return text(options, name)
    .split(",")
    .map(
      (item) =>
        known.find((one) => one === item) ??
        fail(`--${name}: there is no ${item}; there are ${known.join(", ")}.`),
    );
}

function id(options: Options, name: string): string {
  const value = text(options, name);
  return isId(value) ? value : fail(`--${name} must be an id.`);
}

async function withDb(work: (db: Db, pool: Pool) => Promise<Report>): Promise<Report> {
  const pool = openPool(setting("DATABASE_URL"), 2, "zoetrope operator");
  const db = openDatabase(pool);
  try {
    return await work(db, pool);
  } finally {
    await db.destroy();
  }
}

function render(report: Report, asJson: boolean): string {
  if (asJson) return JSON.stringify(report.facts);
  const rows = Array.isArray(report.facts) ? report.facts : [report.facts];
  const lines = rows.map((row) =>
    Object.entries(row)
      .map(([name, value]) => `${name} ${value ?? "-"}`)
      .join("  "),
  );
  if (rows.length === 0) lines.push("none");
  if (report.next !== undefined) lines.push(`Next: ${report.next}.`);
  return lines.join("\n");
}

async function main(): Promise<string> {
  const names = [
    ...["name", "schedule", "open-tasks-max", "account", "credits", "note", "key", "task"],
    ...["tail-hours", "wait-seconds"],
    ...["open-assets-max", "open-uploads-max", "stored-megabytes-max"],
    ...["asset", "by", "reason", "loop"],
    ...["budget", "models", "expires", "requests-per-minute", "scopes"],
  ];
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: "boolean" },
      test: { type: "boolean" },
      repair: { type: "boolean" },
      ...Object.fromEntries(names.map((name) => [name, { type: "string" as const }])),
    },
  });
  const command = commands[positionals.join(" ")] ?? fail(usage);
  return render(await command(values), values["json"] === true);
}

try {
  process.stdout.write(`${await main()}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
