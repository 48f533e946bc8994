import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { childEnv } from "@zoetrope/dev/services/command-line.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccount } from "../src/accounts/create-account.ts";
import { openConnections } from "../src/db/connections.ts";
import { openDatabase } from "../src/db/database.ts";
import { newId } from "../src/ids.ts";
import { parseKeyRing } from "../src/secrets/key-ring.ts";
import { type FreshDatabase, freshDatabase } from "./harness/fresh-database.ts";
import { operateOn } from "./harness/operate.ts";

const serviceMain = fileURLToPath(new URL("../src/main.ts", import.meta.url));

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

const operate = (...args: string[]) => operateOn(database, {}, ...args);
const operateWith = (more: Record<string, string>, ...args: string[]) =>
  operateOn(database, more, ...args);

/** A key ring in a file, for commands and for processes of the service. */
async function openRing() {
  const scratch = await makeScratch("key-ring");
  const path = join(scratch.path, "key-ring");
  const own = await freshDatabase();
  const at = { DATABASE_URL: own.serviceUrl };
  return {
    at,
    run: (...args: string[]) => operateWith({ ...at, KEY_RING_FILE: path }, ...args),
    hold: (...lines: string[]) => writeFile(path, lines.join(""), { mode: 0o600 }),
    /** An api that comes as far as its key ring lets it: until its port, which is none of this machine. */
    async startApi() {
      const env = childEnv({
        ...at,
        KEY_RING_FILE: path,
        STORAGE_DIR: join(scratch.path, "storage"),
        VENDORS: "[]",
        PUBLIC_URL: "http://127.0.0.1:9",
        RESTATE_INGRESS_URL: "http://127.0.0.1:9",
        VENDOR_CALLBACK_SECRET: "0123456789abcdef0123456789abcdef",
        API_HOST: "192.0.2.1",
      });
      const args = [serviceMain, "api"];
      return promisify(execFile)(process.execPath, args, { env, timeout: 180_000 }).then(
        () => "ended",
        ({ stderr }: { stderr: string }) => stderr,
      );
    },
    /** Adds an account with a secret that the first key of these lines encrypts. */
    async addAccount(...lines: string[]): Promise<void> {
      const pool = openConnections(own.serviceUrl, 1, "test");
      const db = openDatabase(pool);
      const ctx = { db, directory: { pool, db, shard: db }, config: { database: { shard: 0 } } };
      await createAccount({ ...ctx, keyRing: parseKeyRing(lines.join("")) }, { name: "Zoe" });
      await db.destroy();
    },
    async [Symbol.asyncDispose]() {
      await own.drop();
      await scratch[Symbol.asyncDispose]();
    },
  };
}

const ringLine = (id: string) => `${id} ${randomBytes(32).toString("base64")}\n`;

test("a key ring from a file reencrypts secrets, is replaced while the service runs, and cannot be forgotten", async () => {
  await using ring = await openRing();
  const [old, next] = [ringLine("old"), ringLine("new")];
  await ring.hold(old);
  expect(await ring.startApi()).toContain("EADDRNOTAVAIL"); // beyond its key ring
  await ring.addAccount(old);
  const forgotten = await operateWith(ring.at, "secrets", "list");
  expect(forgotten).toEqual({ code: 2, text: expect.stringContaining("Set KEY_RING_FILE") });

  await ring.hold(old, next);
  const { text: added } = await ring.run("secrets", "list");
  expect(added).toContain("Next: keep new unless you know that it was replaced");
  expect(added).not.toContain("remove");

  await ring.hold(next, old);
  expect((await ring.run("secrets", "list")).text).toContain("run 'secrets reencrypt'");
  const reencrypted = await ring.run("secrets", "reencrypt");
  expect(reencrypted).toMatchObject({
    code: 0,
    text: expect.stringMatching(/^key new .*failed 0/),
  });
  const { text: listed } = await ring.run("secrets", "list");
  expect(listed).toMatch(/key new {2}secrets [1-9]\d* {2}use encrypts and decrypts/);
  expect(listed).toContain("key old  secrets 0  use decrypts");
  expect(listed).toContain("Next: remove old when no backup that needs it is kept.");
});

test("an api whose key ring lacks the key that encrypts is refused, and so are commands, unless they are told that it is lost", async () => {
  await using ring = await openRing();
  const [old, next] = [ringLine("old"), ringLine("new")];
  await ring.hold(old);
  expect(await ring.startApi()).toContain("EADDRNOTAVAIL");
  await ring.addAccount(old);
  await ring.hold(next, old);
  expect(await ring.startApi()).toContain("EADDRNOTAVAIL");
  await ring.addAccount(next);

  const lacking = /no key new, with which secrets are encrypted.*--lost new/;
  await ring.hold(old);
  expect(await ring.startApi()).toMatch(lacking);
  await ring.hold(ringLine("third"));
  expect((await ring.run("secrets", "reencrypt", "--lost", "old")).text).toMatch(lacking);
  const lost = await ring.run("secrets", "reencrypt", "--lost", "new");
  expect(lost.text).toMatch(/^key third .*failed 2/);
});

test("ledger verify prints how much it checked, and after a forged balance which rows are wrong", async () => {
  const proven = await operate("ledger", "verify");
  expect(proven).toEqual({
    code: 0,
    text: expect.stringMatching(/^transfers \d+ {2}tasks 0 {2}breaches 0\n$/),
  });
  await database.sql(
    "insert into accounts (id, name, webhook_secret, credits) values ($1, 'Eve', 'x', 7)",
    [newId(0)],
  );
  const forged = await operate("ledger", "verify");
  expect(forged.code).toBe(1);
  expect(forged.text).toMatch(/breach I2.*"credits":7/);
  await database.sql("update accounts set credits = 0 where name = 'Eve'");
});

test("migrating again changes nothing", async () => {
  expect((await operate("migrate")).text).toContain("up to date");
});

test.each([
  [["account", "erase"], "--account is missing"],
  [["account", "export", "--account", "x", "--dir", "y"], "--account must be an id"],
  [["nonsense"], "Commands that need the database itself"],
  [["acount", "move"], "Did you mean 'account move'?"],
  [["ledger", "verify", "--repair"], "Unknown option '--repair'"],
  [["secrets", "list", "--lost", "old"], "Unknown option '--lost'"],
  [["migrate", "--shard"], "--shard"],
  [["migrate", "now"], "There is no command 'migrate now'"],
  [["migrate", "--wait-seconds", "1e3"], "--wait-seconds must be a positive whole number"],
])("%j is refused with a hint", async (args, hint) => {
  const { code, text } = await operate(...args);
  expect(code).toBe(2);
  expect(text).toContain(hint);
});

test("--help, --version and a noun alone say what there is", async () => {
  const [help, version, ofNoun, noun] = await Promise.all([
    operate("--help"),
    operate("--version"),
    operate("secrets", "list", "--help"),
    operate("account"),
  ]);
  expect(help).toMatchObject({ code: 0, text: expect.stringContaining("account move") });
  expect(version).toMatchObject({ code: 0, text: expect.stringMatching(/^\d+\.\d+\.\d+/) });
  expect(ofNoun).toMatchObject({ code: 0, text: expect.stringContaining("secrets list") });
  expect(ofNoun.text).not.toContain("secrets reencrypt");
  expect(noun).toMatchObject({ code: 2, text: expect.stringContaining("'account' needs a verb") });
  expect(noun.text).toContain("account erase");
  expect(noun.text).not.toContain("secrets list");
});
