import { afterAll, beforeAll, expect, test } from "vitest";
import { addVendor } from "../../test/harness/add-vendor.ts";
import { type AdminBed, admin, type Method, openAdminBed } from "../../test/harness/admin-bed.ts";
import { openPerson } from "../../test/harness/open-person.ts";
import { createTask } from "../generation/create-task.ts";
import { readFirstBooks } from "../prices/first-books.ts";

let opened: AdminBed;
let bed: AdminBed["bed"];
let api: AdminBed["api"];
let call: AdminBed["call"];
let operator: AdminBed["operator"];
let other: AdminBed["other"];
let support: AdminBed["support"];
beforeAll(async () => {
  opened = await openAdminBed();
  ({ bed, api, call, operator, other, support } = opened);
});
afterAll(async () => {
  await opened[Symbol.asyncDispose]();
});

async function auditOf(request: () => Promise<unknown>) {
  const newest = () =>
    bed.database.sql<{ action: string; actor: string }>(
      "select action, actor from audit_entries order by id",
    );
  const before = (await newest()).length;
  await request();
  return (await newest()).slice(before);
}

async function askLarge(): Promise<string> {
  const { id } = await bed.openAccount();
  const body = { accountId: id, kind: "grant", credits: 5_000, reason: "contract" };
  return (await call(other, "POST", `${admin}/grants`, body)).body.grantId;
}

async function stickRow(): Promise<string> {
  const key = crypto.randomUUID();
  await bed.database.sql(
    `insert into stuck_rows (loop, key, failures, next_try_at, reason)
     values ('deliveries', $1, 10, 'infinity', 'test')`,
    [key],
  );
  return key;
}

const openVendor = () => addVendor(bed, `vendor-${crypto.randomUUID().slice(0, 8)}`);

const reason = { reason: "asked by mail" };
const agreement = { agreedBy: "Example Co.", agreedAt: 1_767_225_600_000, text: "We label." };
type Request = { path: string; payload?: object };

const rates = readFirstBooks().get("A") ?? {};

/** A book with a draft that somebody else has asked for; its path. */
async function openDraft(): Promise<string> {
  const book = `book-${crypto.randomUUID().slice(0, 8)}`;
  await bed.database.sql("insert into price_books (name) values ($1)", [book]);
  await bed.database.sql(
    `insert into price_drafts (book, document, based_on, changed_kind, changed_by, valid_from, reason, asked_at,
                               asked_kind, asked_by)
     values ($1, $2, 0, 'command', 'root', now() + interval '1 hour', 'costs fell', now(), 'command', 'root')`,
    [book, JSON.stringify(rates)],
  );
  return `/price-books/${book}`;
}

/** A request for every route that writes, by method and path as documented. */
const writes: Record<string, () => Promise<Request>> = {
  "POST /accounts": async () => ({ path: "/accounts", payload: { name: "Ada" } }),
  "PATCH /accounts/{accountId}": async () => ({
    path: `/accounts/${(await bed.openAccount()).id}`,
    payload: { openTasksMax: 7, priceBook: "B", storedBytesMax: 10 },
  }),
  "POST /accounts/{accountId}/suspend": async () => ({
    path: `/accounts/${(await bed.openAccount()).id}/suspend`,
    payload: reason,
  }),
  "POST /accounts/{accountId}/resume": async () => {
    const { id } = await bed.openAccount();
    await call(operator, "POST", `${admin}/accounts/${id}/suspend`, reason);
    return { path: `/accounts/${id}/resume`, payload: reason };
  },
  "POST /accounts/{accountId}/notes": async () => ({
    path: `/accounts/${(await bed.openAccount()).id}/notes`,
    payload: { note: "calls on Mondays" },
  }),
  "POST /accounts/{accountId}/label-agreements": async () => ({
    path: `/accounts/${(await bed.openAccount()).id}/label-agreements`,
    payload: agreement,
  }),
  "POST /accounts/{accountId}/label-agreements/{agreementId}/end": async () => {
    const path = `/accounts/${(await bed.openAccount()).id}/label-agreements`;
    const { body } = await call(operator, "POST", admin + path, agreement);
    return { path: `${path}/${body.agreementId}/end`, payload: reason };
  },
  "POST /grants": async () => ({
    path: "/grants",
    payload: { accountId: (await bed.openAccount()).id, kind: "grant", credits: 5, reason: "gift" },
  }),
  "POST /grants/{grantId}/approve": async () => ({
    path: `/grants/${await askLarge()}/approve`,
    payload: {},
  }),
  "POST /grants/{grantId}/reject": async () => ({
    path: `/grants/${await askLarge()}/reject`,
    payload: reason,
  }),
  "POST /tasks/{taskId}/fail": async () => {
    const body = { model: "sd2", inputs: { prompt: "a fox" } };
    const { taskId } = await createTask(bed.ctx, await bed.openAccount(), body, null);
    return { path: `/tasks/${taskId}/fail`, payload: reason };
  },
  "POST /accounts/invitations": async () => {
    const { id: accountId } = await bed.openAccount();
    const payload = { accountId, email: "ada@example.com", role: "owner" };
    return { path: "/accounts/invitations", payload };
  },
  "POST /accounts/{accountId}/keys": async () => ({
    path: `/accounts/${(await bed.openAccount()).id}/keys`,
    payload: { name: "first" },
  }),
  "DELETE /accounts/{accountId}/keys/{keyId}": async () => {
    const { id } = await bed.openAccount();
    const [key] = await bed.database.sql<{ id: string }>(
      "select id from api_keys where account_id = $1",
      [id],
    );
    return { path: `/accounts/${id}/keys/${key?.id}` };
  },
  "DELETE /accounts/{accountId}/members/{personId}": async () => {
    const { accountId, personId } = await openPerson(bed, { role: "viewer" });
    return { path: `/accounts/${accountId}/members/${personId}` };
  },
  "POST /people/sign-out": async () => {
    const { email } = await openPerson(bed, { role: "viewer" });
    return { path: "/people/sign-out", payload: { email, removesWays: true } };
  },
  "POST /people/remove-authenticator": async () => {
    const { email, personId } = await openPerson(bed, { role: "viewer" });
    await bed.database.sql(
      "insert into totp_factors (person_id, secret, confirmed_at) values ($1, 'test', now())",
      [personId],
    );
    return { path: "/people/remove-authenticator", payload: { email } };
  },
  "POST /vendor-accounts": async () => ({
    path: "/vendor-accounts",
    payload: {
      name: `vendor-${crypto.randomUUID().slice(0, 8)}`,
      kind: "ark",
      unchecked: true,
      baseUrl: "http://127.0.0.1:9",
      apiKey: "hunter2",
    },
  }),
  "POST /vendor-accounts/{name}/rotate": async () => ({
    path: `/vendor-accounts/${await openVendor()}/rotate`,
    payload: { apiKey: "hunter3", unchecked: true },
  }),
  "DELETE /vendor-accounts/{name}": async () => ({
    path: `/vendor-accounts/${await openVendor()}`,
  }),
  "PUT /vendor-accounts/{name}/limits": async () => ({
    path: `/vendor-accounts/${await openVendor()}/limits`,
    payload: { openJobsMax: 7 },
  }),
  "POST /vendor-accounts/{name}/pause": async () => ({
    path: `/vendor-accounts/${await openVendor()}/pause`,
    payload: reason,
  }),
  "POST /vendor-accounts/{name}/resume": async () => {
    const name = await openVendor();
    await call(operator, "POST", `${admin}/vendor-accounts/${name}/pause`, {});
    return { path: `/vendor-accounts/${name}/resume`, payload: {} };
  },
  "POST /vendor-accounts/{name}/test": async () => ({
    path: `/vendor-accounts/${await openVendor()}/test`,
  }),
  "PUT /vendor-accounts/{name}/weight": async () => ({
    path: `/vendor-accounts/${await openVendor()}/weight`,
    payload: { weight: 7 },
  }),
  "POST /cost-books/{vendorAccount}/versions": async () => ({
    path: `/cost-books/${await openVendor()}/versions`,
    payload: { document: { currency: "CNY", models: {} }, ...reason },
  }),
  "POST /stuck-rows/retry": async () => ({
    path: "/stuck-rows/retry",
    payload: { loop: "deliveries", key: await stickRow() },
  }),
  "POST /stuck-rows/drop": async () => ({
    path: "/stuck-rows/drop",
    payload: { loop: "deliveries", key: await stickRow() },
  }),
  "POST /ledger-checks": async () => {
    await bed.database.sql("update ledger_checks set finished_at = now()");
    return { path: "/ledger-checks" };
  },
  "PUT /switches/banner": async () => ({
    path: "/switches/banner",
    payload: { severity: "info", text: { en: "Hello", zh: "你好" } },
  }),
  "DELETE /switches/banner": async () => {
    const banner = { severity: "info", text: { en: "Hello", zh: "你好" } };
    await call(operator, "PUT", `${admin}/switches/banner`, banner);
    return { path: "/switches/banner" };
  },
  "PUT /switches/models/{model}": async () => ({
    path: "/switches/models/sd2-fast",
    payload: { isOn: false, message: "Back at noon." },
  }),
  "POST /price-books": async () => ({
    path: "/price-books",
    payload: { book: `book-${crypto.randomUUID().slice(0, 8)}` },
  }),
  "PUT /price-books/{book}/draft": async () => ({
    path: "/price-books/B/draft",
    payload: { document: rates },
  }),
  "DELETE /price-books/{book}/draft": async () => ({ path: `${await openDraft()}/draft` }),
  "POST /price-books/{book}/publish": async () => ({
    path: `${await openDraft()}/publish`,
    payload: { validFrom: Date.now() + 3_600_000, reason: "costs fell" },
  }),
  "POST /price-books/{book}/approve": async () => ({ path: `${await openDraft()}/approve` }),
  "POST /price-books/{book}/reject": async () => ({ path: `${await openDraft()}/reject` }),
};

const ownPaths =
  /^\/(accounts|people|grants|tasks|vendor-accounts|cost-books|stuck-rows|ledger-checks|switches|price-books|audit|deliveries|system|engine-partitions)\b/;

/** The documented operations of these resources, as `METHOD /path`. */
function listOperations(): string[] {
  const { paths } = api.adminSwagger() as { paths: Record<string, object> };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations)
      .map((method) => `${method.toUpperCase()} ${path.slice(admin.length)}`)
      .filter((name) => ownPaths.test(name.split(" ")[1] ?? "")),
  );
}

test("every route that writes is in the table", () => {
  const documented = listOperations().filter((name) => !name.startsWith("GET "));
  expect(documented.sort()).toEqual(Object.keys(writes).sort());
});

test.each(Object.keys(writes))(
  "%s: one audit entry by the operator; support and a page of another origin change nothing",
  async (name) => {
    const method = name.split(" ")[0] as Method;
    const { path, payload } = await (writes[name] as () => Promise<Request>)();
    const refused = await auditOf(async () => {
      expect((await call(support, method, admin + path, payload)).status).toBe(403);
      const elsewhere = { headers: { ...operator.headers, origin: "https://evil.example" } };
      expect(await call(elsewhere, method, admin + path, payload)).toMatchObject({
        status: 403,
        body: { code: "origin_refused" },
      });
    });
    expect(refused).toEqual([]);
    const entries = await auditOf(async () => {
      const answer = await call(operator, method, admin + path, payload);
      expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
    });
    expect(entries).toMatchObject([{ actor: operator.personId }]);
  },
);

test("operators read everything here, and support all but what vendors charge", async () => {
  const { id } = await bed.openAccount();
  const grantId = await askLarge();
  const body = { model: "sd2", inputs: { prompt: "a fox" } };
  const { taskId } = await createTask(bed.ctx, await bed.openAccount(), body, null);
  const draftOf = (await openDraft()).split("/").at(-1);
  const reads = listOperations().filter((name) => name.startsWith("GET "));
  expect(reads.length).toBeGreaterThanOrEqual(11);
  for (const name of reads) {
    const path = name
      .slice(4)
      .replace("{accountId}", id)
      .replace("{grantId}", grantId)
      .replace("{taskId}", taskId)
      .replace("{book}/preview", `${draftOf}/preview`)
      .replace("{book}", "A")
      .replace("{version}", "1")
      .replace("{vendorAccount}", "ark");
    const url = admin + path + (path === "/tasks" ? `?accountId=${id}` : "");
    expect((await call(operator, "GET", url)).status, url).toBe(200);
    const isForOperators = path.startsWith("/cost-books");
    expect((await call(support, "GET", url)).status, url).toBe(isForOperators ? 403 : 200);
  }
});

test("customers' document does not mention the operator API, which has its own", async () => {
  const customers = await call({ headers: {} }, "GET", "/openapi.json");
  const text = JSON.stringify(customers.body);
  expect(text).not.toMatch(/api\/admin|grant_not_found|StaffAccount/);
  const staff = await call({ headers: {} }, "GET", `${admin}/openapi.json`);
  const paths = Object.keys(staff.body.paths);
  expect(paths.length).toBeGreaterThan(15);
  expect(paths.filter((path) => !path.startsWith(admin))).toEqual([]);
});
