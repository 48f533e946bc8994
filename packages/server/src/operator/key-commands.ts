import type { Pool } from "pg";
import { createKey } from "../accounts/create-key.ts";
import { createTestAccount } from "../accounts/create-test-account.ts";
import { type KeyLimits, listKeys, markKeyRevoked } from "../accounts/queries.ts";
import { grantCredits } from "../credits/ledger.ts";
import type { Db } from "../db/database.ts";
import { scopes } from "../db/tables/accounts.ts";
import type { AccountId, KeyId } from "../ids.ts";
import { models } from "../models/catalogue.ts";
import { upscalerModel } from "../models/upscaler.ts";
import {
  type Commands,
  fail,
  type Options,
  type Report,
  readId,
  readList,
  readOptionalCount,
  readText,
} from "./command.ts";
import { keyRingFor, withDatabase } from "./with-database.ts";

const testCredits = 1_000_000;

export const keyCommands: Commands = {
  "key create": {
    takes:
      "--account ID --name NAME [--budget CREDITS] [--models A,B] [--expires DATE] [--requests-per-minute N] [--scopes A,B] [--test]",
    does: `prints the key once. Scopes: ${scopes.join(", ")}; read is every GET; all if omitted. --test: runs on the sandbox with credits that nobody paid for`,
    run: (options) => withDatabase((db, pool) => create(db, pool, options)),
  },
  "key list": {
    takes: "--account ID",
    run: (options) => withDatabase((db) => list(db, readId(options, "account"))),
  },
  "key revoke": {
    takes: "--key ID",
    run: (options) => withDatabase((db) => revoke(db, readId(options, "key"))),
  },
};

async function create(db: Db, pool: Pool, options: Options): Promise<Report> {
  const input = { name: readText(options, "name"), ...readLimits(options) };
  const accountId = readId<AccountId>(options, "account");
  const { keyId, key } = options["test"]
    ? await createTestKey(db, pool, accountId, input)
    : await createKey(db, { accountId, ...input });
  return { facts: { id: keyId, key }, next: "store the key now: it is not shown again" };
}

/** A test key spends the credits of the account's test account, which nobody paid for. */
async function createTestKey(
  db: Db,
  pool: Pool,
  ofAccount: AccountId,
  input: { name: string } & Partial<KeyLimits>,
) {
  const { accountId, isNew } = await createTestAccount(
    { db, keyRing: await keyRingFor(db) },
    ofAccount,
  );
  if (isNew) await grantCredits(pool, { accountId, credits: testCredits, note: "test credits" });
  return createKey(db, { accountId, mode: "test", ...input });
}

function readLimits(options: Options): Partial<KeyLimits> {
  const allowedModels = readList(options, "models", [
    ...models.map(({ name }) => name),
    upscalerModel,
  ]);
  const expiresAt =
    options["expires"] === undefined ? null : new Date(readText(options, "expires"));
  if (expiresAt !== null && Number.isNaN(expiresAt.getTime()))
    fail("--expires must be a date such as 2030-12-31.");
  return {
    models: allowedModels,
    scopes: readList(options, "scopes", scopes),
    expiresAt,
    creditsMax: readOptionalCount(options, "budget"),
    requestsPerMinuteMax: readOptionalCount(options, "requests-per-minute"),
  };
}

async function list(db: Db, accountId: AccountId): Promise<Report> {
  const keys = await listKeys(db, accountId);
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
}

async function revoke(db: Db, keyId: KeyId): Promise<Report> {
  if (!(await markKeyRevoked(db, keyId))) fail("There is no live key with this id.");
  return { facts: { revoked: keyId } };
}
