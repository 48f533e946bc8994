import { issueKey } from "../accounts/keys/issue-key.ts";
import { revokeKey } from "../accounts/keys/revoke-key.ts";
import { findAccountOf, type KeyLimits, listKeys } from "../accounts/queries.ts";
import type { Place } from "../context.ts";
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
import { commandActor } from "./command-actor.ts";
import { keyRingFor, withDatabase } from "./with-database.ts";

export const keyCommands: Commands = {
  "key create": {
    takes:
      "--account ID --name NAME [--budget CREDITS] [--models A,B] [--expires DATE] [--requests-per-minute N] [--scopes A,B] [--test]",
    does: `prints the key once. Scopes: ${scopes.join(", ")}; read is every GET; all if omitted. --test: runs on the sandbox with credits that nobody paid for`,
    run: (options) => withDatabase((_db, _pool, place) => create(place, options)),
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

async function create(place: Place, options: Options): Promise<Report> {
  const input = { name: readText(options, "name"), ...readLimits(options) };
  const accountId = readId<AccountId>(options, "account");
  const mode = options["test"] ? "test" : "live";
  const world = { ...place, keyRing: options["test"] ? await keyRingFor(place.db) : null };
  const { row, key } = await issueKey(world, commandActor(), { accountId, mode, ...input });
  return { facts: { id: row.id, key }, next: "store the key now: it is not shown again" };
}

function readLimits(options: Options): KeyLimits {
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
  const accountId = await findAccountOf(db, keyId);
  if (accountId === undefined) fail("There is no live key with this id.");
  await revokeKey({ db }, commandActor(), accountId, keyId);
  return { facts: { revoked: keyId } };
}
