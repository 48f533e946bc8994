import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { encrypt, type KeyRing, parseKeyRing } from "../secrets/key-ring.ts";
import { vendorSecrets } from "../secrets/kinds.ts";
import { reencrypt } from "../secrets/reencrypt.ts";
import {
  countOpenJobs,
  forgetRemoved,
  insertVendorAccount,
  listVendorAccounts,
  markRemoved,
  type NewVendorAccount,
  replaceCredentials,
  returnCredits,
  setPaused,
  takeCredits,
} from "./queries.ts";
import { readVendorAccount, storedCredentials } from "./read-vendor-account.ts";

const run = promisify(execFile);
const baseUrl = "http://127.0.0.1:9/api/v3";
const bootstrap = [{ name: "ark", kind: "ark", baseUrl, apiKey: "from the environment" }];
const keys = { old: `old ${key()}`, next: `next ${key()}` };

function key(): string {
  return randomBytes(32).toString("base64");
}

let bed: TestBed;
let ring: KeyRing;
beforeEach(async () => {
  bed = await openTestBed({ VENDORS: JSON.stringify(bootstrap), KEY_RING: keys.old });
  ring = parseKeyRing(keys.old);
});
afterEach(() => bed[Symbol.asyncDispose]());

const vendorAccount = (
  name: string,
  apiKey = "hunter2",
  more: Partial<NewVendorAccount> = {},
): NewVendorAccount => ({
  name,
  kind: "ark",
  settings: { baseUrl },
  models: null,
  weight: 100,
  openJobsMax: null,
  creditsPerDayMax: null,
  credentials: storedCredentials(ring, name, apiKey),
  ...more,
});
const keyOf = (name: string) =>
  bed.ctx.vendors.get(name)?.freeCall().headers["authorization"] ?? null;

test("a change reaches every process without a restart: added, paused, resumed, rotated, removed", async () => {
  const other = bed.openAnother();
  await bed.ctx.vendorAccounts.watch();
  await other.vendorAccounts.watch();
  const everywhere = (what: string, isTrue: (vendors: typeof bed.ctx.vendors) => boolean) =>
    waitUntil(what, () => isTrue(bed.ctx.vendors) && isTrue(other.vendors), { timeoutMs: 300_000 });
  const state = (wanted: string) => (vendors: typeof bed.ctx.vendors) =>
    vendors.get("second")?.state === wanted;
  const { db } = bed.ctx;

  await insertVendorAccount(db, vendorAccount("second"));
  await everywhere("the account is added", state("open"));
  await setPaused(db, "second", true);
  await everywhere("it is paused", state("paused"));
  await setPaused(db, "second", false);
  await everywhere("it is resumed", state("open"));
  const [row] = await listVendorAccounts(db);
  const to = storedCredentials(ring, "second", "hunter3");
  await replaceCredentials(db, { name: "second", from: row?.credentials ?? null, to });
  await everywhere("it is rotated", (vendors) =>
    (vendors.get("second")?.freeCall().headers["authorization"] ?? "").endsWith("hunter3"),
  );
  await markRemoved(db, "second");
  await everywhere("it is removed", state("removed"));
});

test("the database has precedence over the setting VENDORS, also when it has removed the account", async () => {
  const { ctx } = bed;
  expect(keyOf("ark")).toBe("Bearer from the environment");
  await insertVendorAccount(ctx.db, vendorAccount("ark", "from-the-database"));
  await ctx.refreshVendors();
  expect(keyOf("ark")).toBe("Bearer from-the-database");
  await markRemoved(ctx.db, "ark");
  await ctx.refreshVendors();
  expect(ctx.vendors.get("ark")?.state).toBe("removed");
});

test("an account that cannot be read stops no other, and one that was open before stays as it was", async () => {
  const { ctx } = bed;
  await insertVendorAccount(ctx.db, vendorAccount("first"));
  await insertVendorAccount(
    ctx.db,
    vendorAccount("moved", "x", { credentials: vendorAccount("other").credentials }),
  );
  await ctx.refreshVendors();
  expect([...ctx.vendors.keys()]).toEqual(["first", "ark"]);
  await bed.database.sql("update vendor_accounts set kind = 'unknown' where name = 'first'");
  await insertVendorAccount(ctx.db, vendorAccount("second"));
  await ctx.refreshVendors();
  expect([...ctx.vendors.keys()]).toEqual(["first", "second", "ark"]);
  expect(keyOf("first")).toBe("Bearer hunter2");
});

test("while the database is away the accounts stay as they were, and afterwards they are read again", async () => {
  const { ctx } = bed;
  await insertVendorAccount(ctx.db, vendorAccount("first"));
  await ctx.refreshVendors();
  await bed.database.sql("alter table vendor_accounts rename to away");
  await expect(ctx.refreshVendors()).rejects.toThrow();
  expect(keyOf("first")).toBe("Bearer hunter2");
  await bed.database.sql("alter table away rename to vendor_accounts");
  await setPaused(ctx.db, "first", true);
  await ctx.refreshVendors();
  expect(ctx.vendors.get("first")?.state).toBe("paused");
});

test("a name is given once, and again after it was removed", async () => {
  const { db } = bed.ctx;
  expect(await insertVendorAccount(db, vendorAccount("first"))).toBe(true);
  expect(await insertVendorAccount(db, vendorAccount("first", "x"))).toBe(false);
  await markRemoved(db, "first");
  expect(await setPaused(db, "first", true)).toBe(false);
  expect(await insertVendorAccount(db, vendorAccount("first", "x"))).toBe(true);
  await bed.ctx.refreshVendors();
  expect(keyOf("first")).toBe("Bearer x");
  expect(bed.ctx.vendors.get("first")?.state).toBe("open");
});

test("the key of a removed account is deleted when no task is open there, and not before", async () => {
  const { db } = bed.ctx;
  await insertVendorAccount(db, vendorAccount("first"));
  await bed.database.sql(
    `insert into open_tasks (task_id, account_id, vendor_account, deadline_at, next_step_at, submit_started_at)
     values (gen_random_uuid(), gen_random_uuid(), 'first', now(), now(), now())`,
  );
  await markRemoved(db, "first");
  await bed.database.sql("update vendor_accounts set removed_at = now() - interval '2 minutes'");
  const hasKey = async () => (await listVendorAccounts(db))[0]?.credentials !== null;
  await forgetRemoved(db);
  expect([await hasKey(), await countOpenJobs(db, "first", 10)]).toEqual([true, 1]);
  await bed.database.sql("delete from open_tasks");
  await forgetRemoved(db);
  expect(await hasKey()).toBe(false);
});

test("a dump of the database has no vendor key in it, and re-encryption passes over a damaged row", async () => {
  const { db } = bed.ctx;
  const planted = randomBytes(18).toString("hex");
  await insertVendorAccount(db, vendorAccount("first", planted));
  await insertVendorAccount(db, vendorAccount("bad", "x", { credentials: "enc1:old:AAAA" }));
  const { stdout } = await run("pg_dump", ["--inserts", bed.database.ownerUrl]);
  expect(stdout).toContain("'first'");
  for (const form of [planted, Buffer.from(planted).toString("base64").slice(0, 40)])
    expect(stdout.includes(form)).toBe(false);
  const both = parseKeyRing(`${keys.next}\n${keys.old}`);
  expect(await reencrypt(db, vendorSecrets, both)).toEqual({
    reencrypted: 1,
    failed: 1,
    failures: [{ id: "bad", reason: expect.stringContaining("damaged") }],
  });
  const row = (await listVendorAccounts(db)).find(({ name }) => name === "first");
  if (row === undefined) throw new Error("the account is gone");
  const read = readVendorAccount(parseKeyRing(keys.next), row);
  expect(read.freeCall().headers["authorization"]).toBe(`Bearer ${planted}`);
  expect(await reencrypt(db, vendorSecrets, both)).toMatchObject({ reencrypted: 0 });
});

test("credentials in a form that is not known are refused without showing them", async () => {
  const [row] = await insertedRows();
  if (row === undefined) throw new Error("no account");
  for (const text of ["hunter2", '"hunter2"', '{"key":"hunter2"}', '{"apiKey":"hunter2","x":1}']) {
    const credentials = encrypt(ring, text, "vendor account first");
    const read = () => readVendorAccount(ring, { ...row, credentials });
    expect(read).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining("hunter2") }),
    );
  }
});

async function insertedRows() {
  await insertVendorAccount(bed.ctx.db, vendorAccount("first"));
  return listVendorAccounts(bed.ctx.db);
}

test("the credits of a day are never more than the limit, however many submit at once, and begin anew the next day", async () => {
  const { db } = bed.ctx;
  const take = () => takeCredits(db, { name: "ark", credits: 30, creditsMax: 100 });
  const taken = await Promise.all(Array.from({ length: 12 }, take));
  expect(taken.filter((isTaken) => isTaken)).toHaveLength(3);
  await returnCredits(db, "ark", 30);
  expect([await take(), await take()]).toEqual([true, false]);
  await bed.database.sql("update vendor_usage set day = day - interval '1 day'");
  expect(await take()).toBe(true);
  expect(await takeCredits(db, { name: "new", credits: 101, creditsMax: 100 })).toBe(false);
});
