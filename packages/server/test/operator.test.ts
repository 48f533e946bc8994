import assert from "node:assert";
import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { shardOfKey } from "../src/accounts/api-key.ts";
import { createKey } from "../src/accounts/create-key.ts";
import { openDatabase, openPool } from "../src/db/database.ts";
import { type AccountId, newId, parseId } from "../src/ids.ts";
import { type FreshDatabase, freshDatabase } from "./harness/fresh-database.ts";
import { operateOn } from "./harness/operate.ts";

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

const operate = (...args: string[]) => operateOn(database, {}, ...args);
const operateWith = (more: Record<string, string>, ...args: string[]) =>
  operateOn(database, more, ...args);

test("account, credits, key, list and revoke: each command says what comes next", async () => {
  const account = await operate("account", "create", "--name", "Ada");
  const accountId = /account (\S+)/.exec(account.text)?.[1] ?? "";
  expect(account.text).toMatch(/webhook-secret whsec_\S{32}/); // callbacks are verified with it
  expect(account.text).toContain(`credits grant --account ${accountId}`);
  const grant = await operate(
    "credits",
    "grant",
    "--account",
    accountId,
    "--credits",
    "50",
    "--note",
    "hi",
  );
  expect(grant.text).toContain("credits 50");
  const created = await operate("key", "create", "--account", accountId, "--name", "laptop");
  const [, keyId = "", key = ""] = /id (\S+) {2}key (\S+)/.exec(created.text) ?? [];
  expect(shardOfKey(key, 1)).toBe(0);
  const listed = await operate("key", "list", "--account", accountId);
  expect(listed.text).toContain(keyId);
  expect(listed.text).not.toContain(key);
  expect((await operate("key", "revoke", "--key", keyId)).code).toBe(0);
  expect((await operate("key", "list", "--account", accountId)).text).toMatch(/revoked 20/);
});

test("account webhooks sets how long an account's callbacks are tried, from 0 to 72 hours, and nobody else's", async () => {
  const [accountId = "", otherId = ""] = await Promise.all(
    ["Tia", "Tom"].map(async (name) => {
      const { text } = await operate("account", "create", "--name", name);
      return /account (\S+)/.exec(text)?.[1];
    }),
  );
  const set = (hours: string, id = accountId) =>
    operate("account", "webhooks", "--account", id, `--tail-hours=${hours}`);
  const tails = () =>
    database.sql(
      `select id, webhook_tail_hours as hours from accounts where id in ('${accountId}', '${otherId}') order by name`,
    );
  expect(await set("72")).toEqual({ code: 0, text: "tail-hours 72\n" });
  expect(await tails()).toEqual([
    { id: accountId, hours: 72 },
    { id: otherId, hours: 0 },
  ]);
  for (const hours of ["73", "-1", "1.5", "soon"])
    expect(await set(hours), hours).toEqual({
      code: 2,
      text: expect.stringContaining("--tail-hours must be a whole number from 0 to 72"),
    });
  const stranger = await set("1", "01998b6e-2c00-7000-8000-000000000001");
  expect(stranger).toEqual({ code: 2, text: "There is no account with this id.\n" });
  expect(await set("0")).toEqual({ code: 0, text: "tail-hours 0\n" });
});

test("a key ring from a file encrypts new secrets, is replaced while the service runs, and cannot be forgotten", async () => {
  await using scratch = await makeScratch("key-ring");
  const path = join(scratch.path, "key-ring");
  const own = await freshDatabase();
  const at = { DATABASE_URL: own.serviceUrl };
  const withRing = (...args: string[]) => operateWith({ ...at, KEY_RING_FILE: path }, ...args);
  const line = (id: string) => `${id} ${randomBytes(32).toString("base64")}\n`;
  const old = line("old");
  await writeFile(path, old, { mode: 0o600 });
  const { text: made } = await withRing("account", "create", "--name", "Zoe");
  expect(made).toMatch(/webhook-secret whsec_\S{32}/);
  const forgotten = await operateWith(at, "account", "create", "--name", "Zed");
  expect(forgotten).toEqual({ code: 2, text: expect.stringContaining("Set KEY_RING_FILE") });

  await writeFile(path, line("new") + old);
  expect((await withRing("secrets", "list")).text).toContain("run 'secrets reencrypt'");
  const reencrypted = await withRing("secrets", "reencrypt");
  expect(reencrypted).toMatchObject({
    code: 0,
    text: expect.stringMatching(/^key new .*failed 0/),
  });
  const { text: listed } = await withRing("secrets", "list");
  expect(listed).toMatch(/key new {2}secrets [1-9]\d* {2}use encrypts and decrypts/);
  expect(listed).toContain("key old  secrets 0  use decrypts");
  await own.drop();
});

test("ledger verify prints how much it checked, and after a forged balance which rows are wrong", async () => {
  const proven = await operate("ledger", "verify");
  expect(proven).toEqual({
    code: 0,
    text: expect.stringMatching(/^transfers \d+ {2}tasks 0 {2}breaches 0\n$/),
  });
  await operate("account", "create", "--name", "Eve");
  await database.sql("update accounts set credits = 7 where name = 'Eve'");
  const forged = await operate("ledger", "verify");
  expect(forged.code).toBe(1);
  expect(forged.text).toMatch(/breach I2.*"credits":7/);
  await database.sql("update accounts set credits = 0 where name = 'Eve'");
});

test("credits adjust corrects both ways, and a key's limits are listed", async () => {
  const { text: made } = await operate("account", "create", "--name", "Lin");
  const accountId = /account (\S+)/.exec(made)?.[1] ?? "";
  const adjust = (credits: string) =>
    operate("credits", "adjust", "--account", accountId, `--credits=${credits}`, "--note", "x");
  expect((await adjust("50")).text).toContain("credits 50");
  expect((await adjust("-20")).text).toContain("credits 30");
  expect(await adjust("-31")).toMatchObject({ code: 1, text: expect.stringContaining("only 30") });
  expect((await adjust("0")).code).toBe(2);
  const limits = ["--budget", "500", "--models", "sd2,upscale", "--expires", "2099-12-31"];
  await operate("key", "create", "--account", accountId, "--name", "few", ...limits);
  const { text: listed } = await operate("key", "list", "--account", accountId);
  expect(listed).toContain("expires 2099-12-31T00:00:00.000Z  models sd2,upscale  budget 0 of 500");
  const unknown = ["--models", "sd9"];
  const refused = await operate("key", "create", "--account", accountId, "--name", "x", ...unknown);
  expect(refused).toMatchObject({ code: 2, text: expect.stringContaining("there is no sd9") });
});

test("an account has 10 keys: the 11th is refused until one is revoked or has expired, and the audit says who did what", async () => {
  const { text: made } = await operate("account", "create", "--name", "Ten");
  const accountId = parseId<AccountId>(/account (\S+)/.exec(made)?.[1] ?? "");
  assert(accountId !== undefined, made);
  const db = openDatabase(openPool(database.serviceUrl, 2, "test"));
  const keys = await Promise.all(
    Array.from({ length: 9 }, () => createKey(db, { accountId, name: "x" })),
  );
  await createKey(db, { accountId, name: "expired", expiresAt: new Date(0) });
  await db.destroy();
  const create = () => operate("key", "create", "--account", accountId, "--name", "x");
  expect((await create()).code).toBe(0);
  expect(await create()).toMatchObject({
    code: 1,
    text: expect.stringContaining("10 live API keys, which is the maximum"),
  });
  expect((await operate("key", "revoke", "--key", keys[0]?.keyId ?? "")).code).toBe(0);
  expect((await create()).code).toBe(0);
  const audit = await database.sql(
    "select action, actor_kind, actor from audit_entries where account_id = $1 and action like 'key.%' order by id",
    [accountId],
  );
  const who = { actor_kind: "command", actor: userInfo().username };
  expect(audit).toEqual(
    ["key.create", "key.revoke", "key.create"].map((action) => ({ action, ...who })),
  );
});

test("a key is made with scopes, the list shows them, and one that does not exist is refused by name", async () => {
  const { text: made } = await operate("account", "create", "--name", "Sco");
  const accountId = /account (\S+)/.exec(made)?.[1] ?? "";
  const create = (...more: string[]) =>
    operate("key", "create", "--account", accountId, "--name", "x", ...more);
  expect((await create("--scopes", "tasks,read")).code).toBe(0);
  expect((await create()).code).toBe(0);
  const { text: listed } = await operate("key", "list", "--account", accountId);
  expect(listed.split("\n")).toMatchObject([
    expect.stringContaining("scopes tasks,read"),
    expect.stringContaining("scopes -"),
    "",
  ]);
  expect(await create("--scopes", "tasks,all")).toMatchObject({
    code: 2,
    text: expect.stringContaining(
      "there is no all; there are tasks, assets, webhooks, account, keys, read",
    ),
  });
});

test("task show prints a task's state, and how far each segment of its video is or why it was given up", async () => {
  const { text: made } = await operate("account", "create", "--name", "Ora");
  const accountId = /account (\S+)/.exec(made)?.[1] ?? "";
  const taskId = newId(0);
  await database.sql(
    `with task as (
       insert into tasks (id, account_id, kind, model, request, price_schedule, credits, created_at)
       values ($1, $2, 'upscale', 'upscale', '{}', 'A', 15, now()) returning id, account_id
     ), video as (
       insert into upscales (task_id, account_id, source_key, owns_source, plan)
       select id, account_id, 'x', false, '{}' from task
     )
     insert into upscale_segments (task_id, number, plan, frames, frames_done, failure)
     values ($1, 0, '{}', 100, 30, null), ($1, 1, '{}', 100, 0, 'the vendor is closed')`,
    [taskId, accountId],
  );
  const { code, text } = await operate("task", "show", "--task", taskId);
  expect(code).toBe(0);
  expect(text).toMatch(/what created .*said PENDING\n/);
  expect(text).toMatch(/what segment 0 .*said 30 of 100 frames\n/);
  expect(text).toMatch(/what segment 1 .*said the vendor is closed\n/);
  const unknown = await operate("task", "show", "--task", newId(0));
  expect(unknown).toEqual({ code: 2, text: "There is no task with this id.\n" });
});

test("migrating again changes nothing", async () => {
  expect((await operate("migrate")).text).toContain("up to date");
});

test.each([
  [["account", "create"], "--name is missing"],
  [["credits", "grant", "--account", "x"], "--account must be an id"],
  [["nonsense"], "Operator commands"],
  [["acount", "create"], "Did you mean 'account create'?"],
  [["account", "create", "--name", "a", "--schedule", "C"], "--schedule is A or B"],
])("%j is refused with a hint", async (args, hint) => {
  const { code, text } = await operate(...args);
  expect(code).toBe(2);
  expect(text).toContain(hint);
});

test("stuck rows are listed, tried again and dropped, and each command says what comes next", async () => {
  expect(await operate("stuck", "list")).toEqual({ code: 0, text: "none\n" });
  await database.sql(
    `insert into media_objects (key, expires_at) values ('lost.mp4', now());
     insert into stuck_rows (loop, key, failures, next_try_at, parked_at, reason) values
       ('collect objects', 'lost.mp4', 10, 'infinity', now(), 'Error: no'),
       ('collect objects', 'other.mp4', 3, now(), null, 'Error: no')`,
  );
  const { text } = await operate("stuck", "list");
  expect(text).toMatch(
    /loop collect objects {2}key lost\.mp4 {2}account - {2}since 20\S+ {2}failures 10/,
  );
  expect(text).toContain(`Next: fix the cause, then run 'stuck retry --loop "collect objects"`);
  const meant = (key: string) => ["--loop", "collect objects", "--key", key];
  expect(await operate("stuck", "retry", ...meant("other.mp4"))).toMatchObject({ code: 0 });
  const dropped = await operate("stuck", "drop", ...meant("lost.mp4"));
  expect(dropped.text).toContain("Next: delete lost.mp4 from the storage by hand");
  expect(await database.sql("select from media_objects where key = 'lost.mp4'")).toEqual([]);
  expect((await operate("stuck", "list")).text).toBe("none\n");
  expect(await operate("stuck", "drop", ...meant("lost.mp4"))).toEqual({
    code: 2,
    text: "There is no such stuck row.\n",
  });
});
