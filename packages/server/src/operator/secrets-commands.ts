import { countSecretsByKey, reencryptSecrets } from "../accounts/reencrypt-secrets.ts";
import type { Place } from "../context.ts";
import { type KeyRing, keyIdOf } from "../key-ring.ts";
import { countTotpByKey, reencryptTotp } from "../people/totp/reencrypt-totp.ts";
import { listAccounts } from "../vendor-accounts/queries.ts";
import { reencryptVendors } from "../vendor-accounts/reencrypt-vendors.ts";
import {
  countEndpointSecrets,
  reencryptEndpoints,
} from "../webhooks/endpoints/reencrypt-endpoints.ts";
import type { Commands, Report } from "./command.ts";
import { requireKeyRing, withDatabase } from "./with-database.ts";

export const secretsCommands: Commands = {
  "secrets list": {
    takes: "",
    does: "shows how many secrets each key of the key ring has encrypted",
    run: () => withDatabase((_db, _pool, place) => list(place, requireKeyRing())),
  },
  "secrets reencrypt": {
    takes: "",
    does: "encrypts every secret with the first key of the key ring, while the service runs; can be stopped and repeated",
    run: () => withDatabase((_db, _pool, place) => reencrypt(place, requireKeyRing())),
  },
};

/** Of the shard; those of vendors and people are at home. */
async function list({ db, home }: Place, ring: KeyRing): Promise<Report> {
  const counts = await countSecretsByKey(db);
  await countEndpointSecrets(db, counts);
  for (const { credentials } of await listAccounts(home.db)) {
    const id = credentials === null ? null : keyIdOf(credentials);
    if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  await countTotpByKey(home.db, counts);
  const ids = [...new Set([...ring.keys.keys(), ...counts.keys()])];
  const facts = ids.map((id) => ({
    key: id,
    secrets: counts.get(id) ?? 0,
    use: id === "none" ? "not encrypted" : useOf(ring, id),
  }));
  const isDone = ids.every((id) => id === ring.currentId || !counts.has(id));
  const next = isDone
    ? "keys without secrets can be removed from the key ring"
    : "run 'secrets reencrypt'";
  return { facts, next };
}

function useOf(ring: KeyRing, id: string): string {
  if (!ring.keys.has(id)) return "missing in the key ring";
  return id === ring.currentId ? "encrypts and decrypts" : "decrypts";
}

async function reencrypt({ db, home }: Place, ring: KeyRing): Promise<Report> {
  const { failures, ...counts } = await reencryptSecrets(db, ring);
  const endpoints = await reencryptEndpoints(db, ring);
  const vendors = await reencryptVendors(home.db, ring);
  const authenticators = await reencryptTotp(home.db, ring);
  const lines = [
    ...failures.map(({ accountId, reason }) => ({ account: accountId, reason })),
    ...endpoints.failures.map(({ id, reason }) => ({ endpoint: id, reason })),
    ...vendors.failures.map(({ name, reason }) => ({ vendor: name, reason })),
    ...authenticators.failures.map(({ personId, reason }) => ({ person: personId, reason })),
  ];
  const next =
    lines.length === 0
      ? "run 'secrets list'"
      : "add the missing key, or replace the webhook secrets, vendor keys and authenticator apps in this list";
  return {
    facts: [
      {
        key: ring.currentId,
        ...counts,
        endpoints: endpoints.reencrypted,
        vendors: vendors.reencrypted,
        authenticators: authenticators.reencrypted,
      },
      ...lines,
    ],
    next,
  };
}
