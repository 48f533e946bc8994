import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPerson, type TestPerson } from "../../test/harness/open-person.ts";
import { openTwoShards, type TwoShards } from "../../test/harness/two-shards.ts";
import { createAccount } from "../accounts/create-account.ts";
import { issueKey } from "../accounts/keys/issue-key.ts";
import { LivesElsewhere } from "../accounts/lives-elsewhere.ts";
import { saveRequests } from "../accounts/requests/queries.ts";
import { readRequests } from "../accounts/requests/read-requests.ts";
import { addNote } from "../admin/accounts/add-note.ts";
import { changeAccount } from "../admin/accounts/change-account.ts";
import { createCustomerAccount } from "../admin/accounts/create-customer-account.ts";
import { showAccount } from "../admin/accounts/show-account.ts";
import { suspendAccount } from "../admin/accounts/suspend-account.ts";
import { readAudit, readStaffAudit } from "../audit/read-audit.ts";
import { grantCredits } from "../credits/ledger.ts";
import { withoutUndefined } from "../http/without-undefined.ts";
import {
  type AccountId,
  type Actor,
  type EndpointId,
  type LoggedRequestId,
  newId,
  shardOf,
} from "../ids.ts";
import type { OpenContext } from "../open-context.ts";
import { createEndpoint } from "../webhooks/endpoints/create-endpoint.ts";
import { createHealthNotes } from "../webhooks/endpoints/note-health.ts";
import { buildApi } from "./build-api.ts";
import { findMember } from "./find-member.ts";

let shards: TwoShards;
/** The API of shard 1. */
let api: Awaited<ReturnType<typeof buildApi>>;
beforeAll(async () => {
  shards = await openTwoShards();
  api = await buildApi(shards.other);
  await api.ready();
});
afterAll(async () => {
  await api.close();
  await shards[Symbol.asyncDispose]();
});

const operator: Actor = { kind: "command", user: "root", address: null, requestId: null };
const noLimits = {
  scopes: null,
  models: null,
  requestsPerMinuteMax: null,
  creditsMax: null,
  expiresAt: null,
};

const create = async (ctx: OpenContext, name = "elsewhere") =>
  (await createAccount(ctx, { name, priceBook: "B" })).accountId;

const enter = (accountId: AccountId, role: "owner" | "viewer" = "owner") =>
  openPerson(
    { ctx: shards.first, openAccount: () => Promise.reject(new Error("one is given")) },
    { role, accountId },
  );

const sessionOf = ({ sessionId: id, personId }: TestPerson) => ({
  id,
  personId,
  awaitsFactor: false,
  staffRole: null,
  isFresh: true,
  hasFactor: false,
});

const call = (who: TestPerson, method: "GET" | "POST" | "PATCH", url: string, payload?: object) =>
  api.inject(
    withoutUndefined({
      method,
      url: `/api/v1/${url}`,
      headers: { ...who.headers, "zoetrope-account": who.accountId },
      payload,
    }),
  );

const rowsInDirectory = (accountId: AccountId) =>
  shards.directoryDatabase.sql(
    "select name, moved_to, closed_at, test_of from accounts where id = $1",
    [accountId],
  );

test("an account of shard 1 leaves a forwarding row in the directory, whose name follows", async () => {
  const { first, other } = shards;
  const accountId = await create(other, "before");
  expect(shardOf(accountId)).toBe(1);
  const forwardingRow = { moved_to: 1, closed_at: null, test_of: null };
  expect(await rowsInDirectory(accountId)).toEqual([{ name: "before", ...forwardingRow }]);
  await changeAccount(other, operator, accountId, { name: "after" });
  expect(await rowsInDirectory(accountId)).toEqual([{ name: "after", ...forwardingRow }]);
  const inDirectory = changeAccount(first, operator, accountId, { name: "wrong" });
  await expect(inDirectory).rejects.toEqual(new LivesElsewhere(1));
  expect(await rowsInDirectory(await create(first))).toMatchObject([{ moved_to: null }]);
});

test("a member of an account of shard 1 is found with the account's own prices and suspension", async () => {
  const { first, other } = shards;
  const accountId = await create(other);
  const session = sessionOf(await enter(accountId));
  expect(await findMember(other, session, accountId)).toMatchObject({
    id: accountId,
    priceBook: "B",
    isSuspended: false,
    session: { role: "owner" },
  });
  await suspendAccount(other, operator, accountId, "unpaid");
  expect(await findMember(other, session, undefined)).toMatchObject({ isSuspended: true });
  await expect(findMember(first, session, accountId)).rejects.toEqual(new LivesElsewhere(1));
  const otherSession = sessionOf(await enter(await create(first)));
  await expect(findMember(other, otherSession, undefined)).rejects.toEqual(new LivesElsewhere(0));
});

test("a forwarding row whose account was never made leads to nobody", async () => {
  const accountId = await create(shards.other);
  const session = sessionOf(await enter(accountId));
  await shards.otherDatabase.sql("delete from accounts where id = $1", [accountId]);
  await expect(findMember(shards.other, session, accountId)).rejects.toMatchObject({
    code: "not_a_member",
  });
});

test("people of an account of shard 1 use its test account, and see both in their list", async () => {
  const { other } = shards;
  const accountId = await create(other, "with a twin");
  const person = await enter(accountId);
  const made = await Promise.all(
    ["first", "second"].map((name) =>
      issueKey(other, operator, { accountId, name, mode: "test", ...noLimits }),
    ),
  );
  const [testId] = new Set(made.map(({ row }) => row.accountId));
  if (testId === undefined) throw new Error("there is no test account");
  expect(await rowsInDirectory(testId)).toMatchObject([{ moved_to: 1, test_of: accountId }]);
  const { accounts } = (await call(person, "GET", "me")).json();
  expect(accounts).toMatchObject([{ accountId, name: "with a twin", testAccountId: testId }]);
  const balance = await call({ ...person, accountId: testId }, "GET", "account/credits");
  expect(balance.json()).toMatchObject({ credits: 1_000_000 });
});

test("a test account that was not made after all is made with the same id", async () => {
  const { other } = shards;
  const accountId = await create(other);
  const issue = () =>
    issueKey(other, operator, { accountId, name: "x", mode: "test", ...noLimits });
  await shards.otherDatabase.sql(
    `create function refuse() returns trigger language plpgsql as 'begin raise exception ''refused''; end';
     create trigger refuse before insert on api_keys for each row execute function refuse()`,
  );
  await expect(issue()).rejects.toThrow("refused");
  await shards.otherDatabase.sql("drop trigger refuse on api_keys; drop function refuse");
  const [claimed] = await shards.directoryDatabase.sql<{ id: string }>(
    "select id from accounts where test_of = $1",
    [accountId],
  );
  expect((await issue()).row.accountId).toBe(claimed?.id);
});

test("the audit has the entries of both databases, with names, newest first, page by page", async () => {
  const { other } = shards;
  const accountId = await create(other);
  const owner = await enter(accountId);
  const viewer = await enter(accountId, "viewer");
  await grantCredits(other.pool, { accountId, credits: 10, note: "test" });
  const promote = (role: string) =>
    call(owner, "PATCH", "account/members", { personId: viewer.personId, role });
  expect((await promote("developer")).statusCode).toBe(200);
  expect((await call(owner, "POST", "account/keys", { name: "key" })).statusCode).toBe(200);
  expect((await promote("viewer")).statusCode).toBe(200);
  await suspendAccount(other, operator, accountId, "unpaid");
  const by = { kind: "person", id: owner.personId, name: "Test" };
  const expected = [
    { action: "account.suspend", actor: { kind: "operator" } },
    { action: "member.change", actor: by },
    { action: "key.create", actor: by },
    { action: "member.change", actor: by },
  ];
  const { items } = (await call(owner, "GET", "account/audit")).json();
  expect(items).toMatchObject(expected);
  for (const action of [undefined, "member", "key"]) {
    const found = expected.filter((entry) => entry.action.startsWith(action ?? ""));
    const paged: unknown[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await readAudit(other, accountId, { action, cursor, limit: 1 });
      paged.push(...page.items);
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect(paged).toMatchObject(found);
  }
  const staff = await readStaffAudit(other, { accountId, limit: 3 });
  expect(staff.items.map(({ actor }) => actor)).toMatchObject([
    { kind: "command", id: "root" },
    ...[1, 2].map(() => ({ kind: "person", name: "Test", email: owner.email })),
  ]);
});

test("an action that is rare in one database and far back in the other is found once", async () => {
  const { other } = shards;
  const accountId = await create(other);
  await suspendAccount(other, operator, accountId, "unpaid");
  await shards.directoryDatabase.sql(
    `insert into audit_entries (id, account_id, actor_kind, actor, action, object)
     select ('7fffffff-ffff-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $1::uuid, 'command', 'root',
            'member.change', 'x'
     from generate_series(1, 10001) n`,
    [accountId],
  );
  const search = { action: "account", limit: 2 };
  const first = await readAudit(other, accountId, search);
  expect(first).toEqual({ items: [], nextCursor: expect.any(String) });
  const cursor = first.nextCursor ?? "";
  expect(await readAudit(other, accountId, { ...search, cursor })).toMatchObject({
    items: [{ action: "account.suspend" }],
    nextCursor: null,
  });
});

test("requests of people, and accounts as staff see them, have the names that are in the directory", async () => {
  const { other } = shards;
  const accountId = await create(other);
  const { personId, email } = await enter(accountId);
  await saveRequests(other.db, [
    {
      id: newId<LoggedRequestId>(1),
      requestId: randomUUID(),
      accountId,
      personId,
      keyId: null,
      method: "GET",
      route: "/api/v1/account/keys",
      status: 200,
      errorCode: null,
      durationMs: 1,
    },
  ]);
  const { items } = await readRequests(other, accountId, { limit: 1 });
  expect(items).toMatchObject([{ actor: { kind: "person", id: personId, name: "Test" } }]);
  const by: Actor = { kind: "person", personId, address: null, requestId: null };
  await addNote(other, by, accountId, "called");
  expect(await showAccount(other, accountId)).toMatchObject({
    accountId,
    members: [{ personId, email }],
    notes: [{ by: { name: "Test" } }],
  });
  await expect(showAccount(shards.first, accountId)).rejects.toEqual(new LivesElsewhere(1));
});

test("a mail about a failing endpoint of shard 1 lies in the directory, for the owners of its account", async () => {
  const { other } = shards;
  const accountId = await create(other);
  const owner = await enter(accountId);
  const viewer = await enter(accountId, "viewer");
  const endpoint = await createEndpoint(other, operator, accountId, {
    url: "https://example.com/hook",
    description: "",
  });
  const fail = async () => {
    const notes = createHealthNotes(other);
    notes.note(endpoint.endpointId as EndpointId, {
      status: 500,
      reason: "answered 500",
      durationMs: 1,
    });
    await notes.close();
  };
  await fail();
  await shards.otherDatabase.sql(
    "update endpoint_health set failing_since = now() - interval '6 days'",
  );
  await fail();
  await fail();
  const mails = "select recipient from mails where recipient = any ($1)";
  const people = [[owner.email, viewer.email]];
  expect(await shards.directoryDatabase.sql(mails, people)).toEqual([{ recipient: owner.email }]);
  expect(await shards.otherDatabase.sql("select recipient from mails")).toEqual([]);
});

test("operators who open an account in shard 1 own it in the directory", async () => {
  const operatorOf = await enter(await create(shards.first));
  const person: Actor = {
    kind: "person",
    personId: operatorOf.personId,
    address: null,
    requestId: null,
  };
  const { accountId } = await createCustomerAccount(shards.other, person, {
    name: "mine",
    asOwner: true,
  });
  expect(await findMember(shards.other, sessionOf(operatorOf), accountId)).toMatchObject({
    session: { role: "owner" },
  });
  const { items } = await readAudit(shards.other, accountId, { limit: 10 });
  expect(items.map(({ action }) => action)).toEqual(["member.join", "account.create"]);
});
