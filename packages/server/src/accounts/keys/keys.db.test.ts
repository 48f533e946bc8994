import { afterAll, beforeAll, expect, test } from "vitest";
import { checkMoney } from "../../../test/harness/check-money.ts";
import { openTestBed, type TestBed } from "../../../test/harness/test-context.ts";
import { buildApi } from "../../api/build-api.ts";
import { createTask } from "../../generation/create-task.ts";
import { withoutUndefined } from "../../http/without-undefined.ts";
import { type AccountId, type Actor, type KeyId, newId, type PersonId } from "../../ids.ts";
import { finishTask } from "../../tasks/finish-task.ts";
import type { KeyLimits } from "../queries.ts";
import { changeKey } from "./change-key.ts";
import { issueKey } from "./issue-key.ts";
import { readKeys } from "./read-keys.ts";
import type { KeyAnswer } from "./schema.ts";

let bed: TestBed;
let api: Awaited<ReturnType<typeof buildApi>>;
beforeAll(async () => {
  bed = await openTestBed();
  api = await buildApi(bed.ctx, { rememberKeyMs: 0, rememberUnknownKeyMs: 0 });
});
afterAll(async () => {
  await api.close();
  await checkMoney(bed.database);
  await bed[Symbol.asyncDispose]();
});

const path = "/api/v1/account/keys";
const person: Actor = {
  kind: "person",
  personId: newId<PersonId>(0),
  address: "192.0.2.7",
  requestId: null,
};
const noLimits: KeyLimits = {
  scopes: null,
  models: null,
  requestsPerMinuteMax: null,
  creditsMax: null,
  expiresAt: null,
};

/** Issues a key as an owner of the account. */
const issue = (accountId: AccountId, changes: Partial<KeyLimits> & { mode?: "test" } = {}) =>
  issueKey(bed.ctx, person, { accountId, mode: "live", name: "made", ...noLimits, ...changes });

type Method = "GET" | "POST" | "PATCH" | "DELETE";
type Body = KeyAnswer & {
  items: KeyAnswer[];
  nextCursor: string | null;
  key: string;
  code: string;
  message: string;
  param: string;
};

async function call(key: string, method: Method, query = "", payload?: object) {
  const answer = await api.inject(
    withoutUndefined({
      method,
      url: path + query,
      headers: { authorization: `Bearer ${key}` },
      payload,
    }),
  );
  return { answered: answer.statusCode, ...answer.json<Body>() };
}

/** Opens a new account with a key that may make keys. */
async function openManager(limits: Partial<KeyLimits> = {}) {
  const account = await bed.openAccount({
    limits: { scopes: ["keys", "account", "tasks", "read"], ...limits },
  });
  return { ...account, call: call.bind(null, account.key) };
}

test("a key is made, listed with all that is known of it, changed and revoked", async () => {
  const manager = await openManager();
  const limits = { scopes: ["tasks"], models: ["sd2"], creditsMax: 50, requestsPerMinuteMax: 9 };
  const expiresAt = "2090-01-01T00:00:00Z";
  const { answered, key, ...made } = await manager.call("POST", "", {
    name: "mine",
    expiresAt,
    ...limits,
  });
  expect(answered).toBe(200);
  expect(key).toMatch(/^zoe_live_/);
  const { keyId } = made;
  const shown = {
    keyId,
    name: "mine",
    hint: key.slice(0, 13),
    mode: "live",
    status: "live",
    ...limits,
    creditsLeft: 50,
    createdAt: expect.any(Number),
    expiresAt: Date.parse(expiresAt),
    createdBy: { kind: "key", id: manager.keyId },
    revokedAt: null,
    lastUsedAt: null,
  };
  expect(made).toEqual(shown);
  const list = await manager.call("GET");
  expect(list.items).toEqual([shown, expect.objectContaining({ keyId: manager.keyId })]);
  expect(JSON.stringify(list)).not.toContain(key.slice(13));
  const changed = await manager.call("PATCH", `?keyId=${keyId}`, { name: "yours", models: null });
  expect(changed).toEqual({ answered: 200, ...shown, name: "yours", models: null });
  expect((await manager.call("DELETE", `?keyId=${keyId}`)).answered).toBe(200);
  expect((await manager.call("GET")).items[0]).toMatchObject({
    keyId,
    status: "revoked",
    revokedAt: expect.any(Number),
  });
  for (const method of ["DELETE", "PATCH"] as const)
    expect(
      await manager.call(method, `?keyId=${keyId}`, method === "PATCH" ? {} : undefined),
    ).toMatchObject({ answered: 404, code: "key_not_found" });
  const audit = await bed.database.sql(
    "select action, actor, object, before, after from audit_entries where account_id = $1 order by id",
    [manager.id],
  );
  expect(audit).toMatchObject([
    { action: "key.create", actor: manager.keyId, object: keyId, after: { mode: "live" } },
    { action: "key.change", before: { name: "mine" }, after: { name: "yours", models: null } },
    { action: "key.revoke", before: { name: "yours" }, after: null },
  ]);
  expect(JSON.stringify(audit)).not.toContain(key.slice(13));
});

test("a key without the scope by name lists keys, and makes, changes and revokes none", async () => {
  const { key, keyId } = await bed.openAccount();
  expect((await call(key, "GET")).items).toHaveLength(1);
  for (const answer of [
    await call(key, "POST", "", { name: "more" }),
    await call(key, "PATCH", `?keyId=${keyId}`, { creditsMax: null }),
    await call(key, "DELETE", `?keyId=${keyId}`),
  ])
    expect(answer).toMatchObject({ answered: 403, code: "scope_missing" });
});

test.each<[string, Partial<KeyLimits>, object]>([
  ["all scopes", {}, {}],
  ["a scope beyond its own", {}, { scopes: ["assets"] }],
  ["the scope to make keys", {}, { scopes: ["keys"] }],
  ["a model beyond its own", { models: ["sd2"] }, { scopes: ["tasks"], models: ["sd2-fast"] }],
  ["a later expiry", { expiresAt: new Date("2080-01-01") }, { scopes: ["tasks"] }],
  ["a higher rate", { requestsPerMinuteMax: 50 }, { scopes: ["tasks"] }],
  ["a part of its budget", { creditsMax: 50 }, { scopes: ["tasks"], creditsMax: 1 }],
])(
  "a key cannot give %s, neither to a new key nor to another or itself",
  async (_what, limits, wanted) => {
    const manager = await openManager(limits);
    const refusal = { answered: 403, code: "key_beyond_own_limits" };
    expect(await manager.call("POST", "", { name: "more", ...wanted })).toMatchObject(refusal);
    const { row } = await issue(manager.id, { scopes: ["read"], creditsMax: 1 });
    const all = { scopes: null, models: null, requestsPerMinuteMax: null, expiresAt: null };
    for (const keyId of [row.id, manager.keyId])
      expect(
        await manager.call("PATCH", `?keyId=${keyId}`, { ...all, creditsMax: null, ...wanted }),
      ).toMatchObject(refusal);
  },
);

test("keys of other accounts are neither seen nor touched", async () => {
  const manager = await openManager();
  const stranger = await bed.openAccount();
  expect((await manager.call("GET")).items.map(({ keyId }) => keyId)).toEqual([manager.keyId]);
  for (const keyId of [stranger.keyId, newId<KeyId>(0), "x"]) {
    expect((await manager.call("DELETE", `?keyId=${keyId}`)).code).toBe("key_not_found");
    expect((await manager.call("PATCH", `?keyId=${keyId}`, {})).code).toBe("key_not_found");
  }
  expect((await call(stranger.key, "GET")).answered).toBe(200);
});

test("test keys belong to the test account, which has credits and makes no live keys", async () => {
  const manager = await openManager();
  const scopes = ["keys", "account", "tasks"] as KeyLimits["scopes"];
  const [first, second] = await Promise.all(
    [1, 2].map(() => issue(manager.id, { mode: "test", scopes })),
  );
  const key = first?.key ?? "";
  expect(key).toMatch(/^zoe_test_/);
  expect(second?.row.accountId).toBe(first?.row.accountId);
  const modes = (await manager.call("GET")).items.map(({ mode }) => mode);
  expect(modes.toSorted()).toEqual(["live", "test", "test"]);
  expect((await call(key, "GET")).items.map(({ mode }) => mode)).toEqual(["test", "test"]);
  expect(await call(key, "POST", "", { name: "x", scopes: ["tasks"] })).toMatchObject({
    answered: 400,
    param: "mode",
  });
  const more = await call(key, "POST", "", { name: "x", mode: "test", scopes: ["tasks"] });
  expect(more).toMatchObject({ answered: 200, mode: "test" });
  expect((await call(key, "DELETE", `?keyId=${manager.keyId}`)).code).toBe("key_not_found");
  expect((await manager.call("DELETE", `?keyId=${more.keyId}`)).answered).toBe(200);
  const credits = await api.inject({
    url: "/api/v1/account/credits",
    headers: { authorization: `Bearer ${key}` },
  });
  expect(credits.json()).toMatchObject({ credits: 1_000_000, availableCredits: 1_000_000 });
});

test("a key that a person made says so", async () => {
  const { id } = await bed.openAccount();
  const { row } = await issue(id);
  const { items } = await readKeys(bed.ctx, id, { limit: 1 });
  const { personId } = person as { personId: PersonId };
  expect(items[0]).toMatchObject({ keyId: row.id, createdBy: { kind: "person", id: personId } });
  const [audit] = await bed.database.sql("select * from audit_entries where object = $1", [row.id]);
  expect(audit).toMatchObject({ person_id: personId, address: "192.0.2.7", account_id: id });
});

test("a budget that is set while tasks run starts with what they hold, and gets it back when they fail", async () => {
  const account = await bed.openAccount();
  const body = { model: "sd2", inputs: { prompt: "a fox" } };
  const { taskId } = await createTask(bed.ctx, account, body, null);
  const change = (creditsMax: number | null) =>
    changeKey(bed.ctx, person, account.id, { keyId: account.keyId, creditsMax });
  await expect(change(29)).rejects.toMatchObject({ param: "creditsMax" });
  expect(await change(100)).toMatchObject({ creditsMax: 100, creditsUsed: 30 });
  await finishTask(bed.ctx, taskId, { kind: "failed", code: "vendor_failed", message: "x" });
  expect((await readKeys(bed.ctx, account.id, { limit: 1 })).items[0]?.creditsLeft).toBe(100);
  await createTask(bed.ctx, account, body, null);
  await expect(change(29)).rejects.toMatchObject({ code: "invalid_parameters" });
  expect(await change(30)).toMatchObject({ creditsUsed: 30 });
  await expect(createTask(bed.ctx, account, body, null)).rejects.toMatchObject({
    code: "key_budget_exceeded",
  });
  expect(await change(null)).toMatchObject({ creditsMax: null });
  await createTask(bed.ctx, account, body, null);
});

test("budgets that change while tasks start and fail are never off by a credit", async () => {
  const account = await bed.openAccount({ openTasksMax: 50, credits: 100_000 });
  const body = { model: "sd2", inputs: { prompt: "a fox" } };
  const churn = async () => {
    for (let n = 0; n < 8; n += 1) {
      const { taskId } = await createTask(bed.ctx, account, body, null);
      await finishTask(bed.ctx, taskId, { kind: "failed", code: "vendor_failed", message: "x" });
    }
  };
  const change = async () => {
    for (const creditsMax of [1_000, null, 2_000, null, 3_000])
      await changeKey(bed.ctx, person, account.id, { keyId: account.keyId, creditsMax });
  };
  await Promise.all([churn(), churn(), churn(), change(), churn()]);
  expect((await readKeys(bed.ctx, account.id, { limit: 1 })).items[0]).toMatchObject({
    creditsMax: 3_000,
    creditsLeft: 3_000,
  });
});

test.each([
  ["name", { name: "" }],
  ["name", { name: "a".repeat(101) }],
  ["scopes", { name: "a", scopes: [] }],
  ["scopes[0]", { name: "a", scopes: ["all"] }],
  ["scopes", { name: "a", scopes: ["read", "read"] }],
  ["models[0]", { name: "a", models: ["sd9"] }],
  ["creditsMax", { name: "a", creditsMax: -1 }],
  ["requestsPerMinuteMax", { name: "a", requestsPerMinuteMax: 0 }],
  ["expiresAt", { name: "a", expiresAt: "tomorrow" }],
  ["expiresAt", { name: "a", expiresAt: "2020-01-01T00:00:00Z" }],
  ["mode", { name: "a", mode: "real" }],
])("400: a %s that is wrong is named", async (param, body) => {
  const manager = await openManager();
  expect(await manager.call("POST", "", body)).toMatchObject({ answered: 400, param });
});

test("a list of 60 keys is read in pages, each key once, live and test", async () => {
  const manager = await openManager();
  for (let n = 0; n < 30; n += 1) {
    await issue(manager.id);
    await issue(manager.id, { mode: "test" });
    await bed.database.sql("update api_keys set revoked_at = now() where name = 'made'"); // makes room
  }
  const seen: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page = await manager.call("GET", `?limit=7${cursor === "" ? "" : `&cursor=${cursor}`}`);
    seen.push(...page.items.map(({ keyId }) => keyId));
    cursor = page.nextCursor;
  }
  expect(seen).toHaveLength(61);
  expect(seen).toEqual([...new Set(seen)].sort().reverse());
  expect((await manager.call("GET", "?cursor=x")).param).toBe("cursor");
});
