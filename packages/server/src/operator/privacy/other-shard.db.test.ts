import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPerson } from "../../../test/harness/open-person.ts";
import { operateOn } from "../../../test/harness/operate.ts";
import { openTwoShards, type TwoShards } from "../../../test/harness/two-shards.ts";
import { createAccount } from "../../accounts/create-account.ts";
import { suspendAccount } from "../../admin/accounts/suspend-account.ts";
import { openConnections } from "../../db/connections.ts";
import { openDatabase } from "../../db/database.ts";
import type { AccountId, Actor } from "../../ids.ts";
import { inviteMember } from "../../people/members/invite-member.ts";
import { eraseAccount } from "./erase-account.ts";
import { exportAccount } from "./export-account.ts";

let shards: TwoShards;
let scratch: Scratch;
beforeAll(async () => {
  shards = await openTwoShards();
  scratch = await makeScratch("shards");
});
afterAll(async () => {
  await shards[Symbol.asyncDispose]();
  await scratch.remove();
});

const operator: Actor = { kind: "command", user: "root", address: null, requestId: null };

const rowsInDirectory = (accountId: string) =>
  shards.directoryDatabase.sql("select name, moved_to, closed_at from accounts where id = $1", [
    accountId,
  ]);

/** An account of shard 1 with something in both databases. */
async function openElsewhere() {
  const { first, other } = shards;
  const { accountId } = await createAccount(other, { name: "planted" });
  const openAccount = () => Promise.reject(new Error("one is given"));
  const owner = await openPerson({ ctx: first, openAccount }, { role: "owner", accountId });
  const invited = "guest@example.com";
  await inviteMember(first, operator, { accountId, email: invited, role: "viewer" });
  await suspendAccount(other, operator, accountId, "unpaid");
  return { accountId, owner, invited };
}

const openAsOwner = (url: string) => {
  const pool = openConnections(url, 2, "owner");
  return { pool, db: openDatabase(pool) };
};

async function erase(accountId: AccountId) {
  const { other, otherDatabase, directoryDatabase } = shards;
  const own = openAsOwner(otherDatabase.ownerUrl);
  const directory = { ...openAsOwner(directoryDatabase.ownerUrl), shard: null };
  const ctx = { db: own.db, directory, config: other.config, storage: other.storage };
  try {
    return await eraseAccount({ ...ctx, onVendorAsset() {} }, accountId, "planted");
  } finally {
    await own.db.destroy();
    await directory.db.destroy();
  }
}

test("of an account of shard 1 everything is exported and erased in both databases", async () => {
  const { accountId, owner, invited } = await openElsewhere();
  const dir = join(scratch.path, "export");
  await exportAccount(shards.other, accountId, dir);
  const read = (name: string) => readFile(join(dir, `${name}.jsonl`), "utf8");
  expect(await read("members")).toContain(owner.email);
  expect(await read("one-time-links")).toContain(invited);
  const audit = await read("audit-entries");
  for (const action of ["account.suspend", "invitation.create"]) expect(audit).toContain(action);
  await expect(exportAccount(shards.first, accountId, `${dir}-2`)).rejects.toThrow("shard 1");

  expect(await erase(accountId)).toMatchObject({
    kind: "erased",
    counts: { people: 1, audit: 2 },
  });
  expect(await rowsInDirectory(accountId)).toEqual([
    { name: "erased", moved_to: 1, closed_at: expect.any(Date) },
  ]);
  const people = "select from people where id = $1";
  expect(await shards.directoryDatabase.sql(people, [owner.personId])).toEqual([]);
  expect(await shards.directoryDatabase.sql("select from one_time_links")).toEqual([]);
});

test("a command works on the shard of SHARD, and finds people in the directory", async () => {
  const { directoryDatabase, otherDatabase } = shards;
  const urls = `${directoryDatabase.serviceUrl},${otherDatabase.serviceUrl}`;
  const operate = (more: Record<string, string>, ...args: string[]) =>
    operateOn(
      directoryDatabase,
      { SHARDS: urls, PUBLIC_URL: "http://127.0.0.1:8080", ...more },
      ...args,
    );
  const { accountId } = await createAccount(shards.other, { name: "made" });
  const owner = ["person", "create-operator", "--email", "a@example.com", "--account", accountId];
  expect(await operate({ SHARD: "1" }, ...owner)).toMatchObject({ code: 0 });
  const links = "select owned_account_id from one_time_links where email = 'a@example.com'";
  expect(await directoryDatabase.sql(links)).toEqual([{ owned_account_id: accountId }]);
  await otherDatabase.sql("update accounts set credits = 7 where id = $1", [accountId]);
  expect(await operate({ SHARD: "1" }, "ledger", "verify")).toMatchObject({ code: 1 });
  expect(await operate({}, "ledger", "verify")).toMatchObject({ code: 0 });
});
