import { type Sandbox, startSandbox } from "@zoetrope/testkit/start-sandbox.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AdminBed, admin, openAdminBed } from "../../../test/harness/admin-bed.ts";

let opened: AdminBed;
let sandbox: Sandbox;
beforeAll(async () => {
  [opened, sandbox] = await Promise.all([openAdminBed(), startSandbox()]);
});
afterAll(async () => {
  await opened[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
});

const url = `${admin}/vendor-accounts`;
const call = (...[method, path, body]: [Parameters<AdminBed["call"]>[1], string, object?]) =>
  opened.call(opened.operator, method, url + path, body);

test("a vendor account is added, tested, limited, rotated and removed; a key that does not work changes nothing, and no response or audit entry has one", async () => {
  const [good, bad] = ["sandbox-ark-key", "hunter2-secret"];
  const vendorAccount = { name: "ark", kind: "ark", baseUrl: `${sandbox.url}/api/v3` };
  const stored = () =>
    opened.bed.database.sql("select name, credentials from vendor_accounts order by name");
  const said: unknown[] = [];
  const say = async (...given: Parameters<typeof call>) => {
    const answer = await call(...given);
    said.push(answer.body);
    return answer;
  };
  const before = await stored();
  const refused = await say("POST", "", { ...vendorAccount, apiKey: bad });
  expect(refused).toMatchObject({ status: 400, body: { param: "apiKey" } });
  expect(refused.body.message).toContain("refuses the key");
  const typo = { ...vendorAccount, apiKey: good, settings: { pollsPerSecnd: 5 } };
  expect(await say("POST", "", typo)).toMatchObject({ status: 400, body: { param: "settings" } });
  expect(await stored()).toEqual(before);
  expect(await say("POST", "", { ...vendorAccount, apiKey: good })).toMatchObject({
    status: 200,
    body: { result: expect.stringContaining("accepts the key") },
  });
  expect(await say("POST", "", { ...vendorAccount, apiKey: good })).toMatchObject({
    status: 409,
    body: { code: "vendor_account_exists" },
  });
  expect((await say("POST", "/ark/test")).body).toMatchObject({ works: true });

  const limited = { openJobsMax: 7, creditsPerDayMax: 900 };
  expect((await say("PUT", "/ark/limits", limited)).status).toBe(200);
  expect((await say("PUT", "/ark/limits", { openJobsMax: null })).status).toBe(200);
  const listed = (await say("GET", "")).body.items.find(
    (one: { name: string }) => one.name === "ark",
  );
  expect(listed).toMatchObject({ openJobsMax: null, creditsPerDayMax: 900, weight: 100 });

  const encrypted = JSON.stringify(await stored());
  const wrong = await say("POST", "/ark/rotate", { apiKey: bad });
  expect(wrong).toMatchObject({ status: 400, body: { param: "apiKey" } });
  expect(JSON.stringify(await stored())).toBe(encrypted);
  expect((await say("POST", "/ark/rotate", { apiKey: good })).status).toBe(200);
  expect(JSON.stringify(await stored())).not.toBe(encrypted);

  expect((await say("DELETE", "/ark")).status).toBe(200);
  for (const [method, path, body] of [
    ["DELETE", "/ark"],
    ["POST", "/ark/rotate", { apiKey: good }],
    ["PUT", "/ark/limits", limited],
  ] as const)
    expect(await say(method, path, body), path).toMatchObject({
      status: 404,
      body: { code: "vendor_account_not_found" },
    });
  const audit = await opened.bed.database.sql<{ action: string }>(
    "select * from audit_entries where object = 'ark' and action <> 'vendor.test' order by id",
  );
  expect(audit.map(({ action }) => action)).toEqual([
    "vendor.add",
    "vendor.limit",
    "vendor.limit",
    "vendor.rotate",
    "vendor.remove",
  ]);
  const all = JSON.stringify([said, audit, await stored()]);
  for (const key of [good, bad]) expect(all).not.toContain(key);
});

test("a removed account's name can be used again, and an unchecked key is stored without a call", async () => {
  const vendorAccount = {
    name: "again",
    kind: "ark",
    baseUrl: "http://127.0.0.1:9",
    apiKey: "hunter2",
  };
  expect((await call("POST", "", vendorAccount)).status).toBe(400); // nobody listens there
  const unchecked = { ...vendorAccount, unchecked: true };
  expect((await call("POST", "", unchecked)).body).toEqual({ result: "not tested" });
  expect((await call("DELETE", "/again")).status).toBe(200);
  expect((await call("POST", "", unchecked)).status).toBe(200);
});

test("a process whose key ring is not the recorded one stores no key", async () => {
  const { database } = opened.bed;
  const vendorAccount = {
    name: "late",
    kind: "ark",
    baseUrl: "http://127.0.0.1:9",
    apiKey: "hunter2",
  };
  const added = () => call("POST", "", { ...vendorAccount, unchecked: true });
  const record = (id: string) => database.sql("update current_key set key_id = $1", [id]);
  const [before] = await database.sql<{ key_id: string }>("select key_id from current_key");
  await record("newer");
  expect(await added()).toMatchObject({ status: 503, body: { code: "service_unavailable" } });
  expect(await database.sql("select from vendor_accounts where name = 'late'")).toEqual([]);
  await record(before?.key_id ?? "");
  expect((await added()).status).toBe(200);
});
