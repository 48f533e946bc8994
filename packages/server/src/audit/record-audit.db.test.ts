import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { openConnections } from "../db/connections.ts";
import { inTransaction, openDatabase } from "../db/database.ts";
import { type AccountId, type Actor, newId, type PersonId } from "../ids.ts";
import { eraseAudit } from "./erase-audit.ts";
import { readAudit } from "./read-audit.ts";
import { recordAudit } from "./record-audit.ts";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

const person = (): Actor => ({
  kind: "person",
  personId: newId<PersonId>(0),
  address: "192.0.2.7",
  requestId: randomUUID(),
});

async function rename(actor: Actor, accountId: AccountId): Promise<void> {
  await inTransaction(bed.ctx.db, (tx) =>
    recordAudit(tx, actor, {
      accountId,
      action: "account.rename",
      object: accountId,
      before: { name: "Ada" },
      after: { name: "Ada's studio" },
      reason: "asked by mail",
    }),
  );
}

const entriesOf = (accountId: AccountId) =>
  bed.ctx.db
    .selectFrom("audit_entries")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("id")
    .execute();

test("an entry says who changed what, from where, and in which request", async () => {
  const { id: accountId } = await bed.openAccount();
  const actor = person();
  await rename(actor, accountId);
  await rename({ kind: "command", user: "root", address: null, requestId: null }, accountId);
  expect(await entriesOf(accountId)).toMatchObject([
    {
      actor_kind: "person",
      person_id: actor.kind === "person" && actor.personId,
      action: "account.rename",
      before: { name: "Ada" },
      after: { name: "Ada's studio" },
      address: "192.0.2.7",
      request_id: actor.requestId,
    },
    { actor_kind: "command", person_id: null, actor: "root", address: null },
  ]);
});

test("nobody rewrites the audit: not the service, not even its owner", async () => {
  const { id: accountId } = await bed.openAccount();
  await rename(person(), accountId);
  const before = await entriesOf(accountId);
  const removal = bed.ctx.db.deleteFrom("audit_entries").where("account_id", "=", accountId);
  await expect(removal.execute()).rejects.toThrow("permission denied");
  for (const verb of [
    "delete from audit_entries",
    "update audit_entries set action = 'a.b'",
    `update audit_entries set after = '{"name": "Eve"}'`,
  ])
    await expect(
      bed.database.sql(`${verb} where account_id = '${accountId}'`),
      verb,
    ).rejects.toThrow("never changed");
  expect(await entriesOf(accountId)).toEqual(before);
});

test("erasing an account empties what people wrote and from where, not that it was done", async () => {
  const { id: accountId } = await bed.openAccount();
  const actor = person();
  await rename(actor, accountId);
  const owner = openDatabase(openConnections(bed.database.ownerUrl, 1, "test"));
  expect(await eraseAudit(owner, accountId)).toBe(1);
  expect(await eraseAudit(owner, accountId)).toBe(0);
  await owner.destroy();
  expect(await entriesOf(accountId)).toMatchObject([
    { action: "account.rename", before: null, after: null, reason: null, address: null },
  ]);
});

test("an owner reads what an object is called: now, and when it was changed if it is gone", async () => {
  const { id: accountId } = await bed.openAccount();
  const { id: otherId } = await bed.openAccount();
  const keys = await bed.database.sql<{ id: string; account_id: AccountId }>(
    "update api_keys set name = 'Render farm' where account_id = any ($1) returning id, account_id",
    [[accountId, otherId]],
  );
  const keyOf = (account: AccountId) =>
    keys.find(({ account_id }) => account_id === account)?.id ?? "";
  const record = (
    action: `${string}.${string}`,
    object: string,
    after: { url: string } | null = null,
  ) =>
    inTransaction(bed.ctx.db, (tx) =>
      recordAudit(tx, person(), {
        accountId,
        action,
        object,
        after: after ?? undefined,
      }),
    );
  await record("key.change", keyOf(accountId));
  await record("key.change", keyOf(otherId)); // as nothing does: names of others stay theirs
  const endpoint = randomUUID();
  await record("endpoint.create", endpoint, { url: "https://example.com/hook" });
  await record("asset.approve", "5");
  const { items } = await readAudit(bed.ctx, accountId, { limit: 10 });
  // Entries of the same millisecond have no order among themselves.
  expect(Object.fromEntries(items.map(({ object, objectName }) => [object, objectName]))).toEqual({
    [keyOf(accountId)]: "Render farm",
    [keyOf(otherId)]: null,
    [endpoint]: "https://example.com/hook",
    "5": null,
  });
});
