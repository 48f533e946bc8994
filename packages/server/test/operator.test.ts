import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isWellFormedApiKey } from "../src/accounts/api-key.ts";
import { type FreshDatabase, freshDatabase } from "./harness/fresh-database.ts";

const run = promisify(execFile);
const operator = fileURLToPath(new URL("../src/operator.ts", import.meta.url));

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

/** Runs a command as an operator would; gives what it printed and how it ended. */
async function operate(...args: string[]): Promise<{ code: number; text: string }> {
  const env = { DATABASE_URL: database.serviceUrl, DATABASE_OWNER_URL: database.ownerUrl };
  try {
    const { stdout } = await run(process.execPath, [operator, ...args], { env });
    return { code: 0, text: stdout };
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    return { code, text: stderr };
  }
}

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
  expect(isWellFormedApiKey(key)).toBe(true);
  const listed = await operate("key", "list", "--account", accountId);
  expect(listed.text).toContain(keyId);
  expect(listed.text).not.toContain(key);
  expect((await operate("key", "revoke", "--key", keyId)).code).toBe(0);
  expect((await operate("key", "list", "--account", accountId)).text).toMatch(/revoked 20/);
});

test("migrating again changes nothing", async () => {
  expect((await operate("migrate")).text).toContain("up to date");
});

test.each([
  [["account", "create"], "--name is missing"],
  [["credits", "grant", "--account", "x"], "--account must be an id"],
  [["nonsense"], "Operator commands"],
  [["account", "create", "--name", "a", "--schedule", "C"], "--schedule is A or B"],
])("%j is refused with a hint", async (args, hint) => {
  const { code, text } = await operate(...args);
  expect(code).toBe(2);
  expect(text).toContain(hint);
});
