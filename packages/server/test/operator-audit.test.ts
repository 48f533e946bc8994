import { userInfo } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
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

test("commands leave the user who ran them in the audit, and no grant above the limit is approved by whoever asked", async () => {
  const account = await operate("account", "create", "--name", "Audited");
  const accountId = /account (\S+)/.exec(account.text)?.[1] ?? "";
  const meant = ["--account", accountId];
  expect(await operate("account", "suspend", ...meant, "--reason", "test")).toMatchObject({
    ...{ code: 0, text: expect.stringContaining(`suspended ${accountId}`) },
  });
  await operate("account", "resume", ...meant, "--reason", "test");
  const grant = await operateWith(
    { GRANT_APPROVAL_ABOVE: "10" },
    ...["credits", "grant", ...meant, "--credits", "11", "--note", "hi"],
  );
  const grantId = /grant (\S+) {2}status pending/.exec(grant.text)?.[1] ?? "";
  const own = await operate("credits", "approve", "--grant", grantId);
  expect(own).toMatchObject({ code: 1, text: expect.stringContaining("second person") });
  expect((await operate("credits", "reject", "--grant", grantId)).code).toBe(0);
  const entries = await database.sql(
    "select action, actor_kind as kind, actor from audit_entries where account_id = $1 order by id",
    [accountId],
  );
  const actor = userInfo().username;
  const actions = ["account.create", "account.suspend", "account.resume"];
  expect(entries).toEqual(
    [...actions, "credits.ask", "credits.reject"].map((action) => ({
      ...{ action, kind: "command", actor },
    })),
  );
});
