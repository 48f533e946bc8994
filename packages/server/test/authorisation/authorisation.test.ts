import { readFile } from "node:fs/promises";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, assert, beforeAll, expect, test } from "vitest";
import { suspendAccount } from "../../src/admin/accounts/suspend-account.ts";
import { openTestBed } from "../harness/test-context.ts";
import { type Call, type Caller, callerOf } from "../tenancy/call.ts";
import { openOwner } from "../tenancy/owners.ts";
import {
  type ActorName,
  type AuthorisationFixture,
  actorNames,
  actors,
  type Owner,
} from "./actors.ts";
import { expectedOf, pageFile, renderPage } from "./page.ts";
import { type Policy, policies } from "./policies.ts";
import { buildWithRoutes, type Route, suggestRow } from "./routes.ts";
import { table } from "./table.ts";

const tableFile = "packages/server/test/authorisation/table.ts";
const many = "1000000";
const publicUrl = "http://127.0.0.1:8080";

const cleanUp = new AsyncDisposableStack();
let call: Caller;
let fixture: AuthorisationFixture;
let routes: Route[];
const command = { kind: "command", user: "test", address: null, requestId: null } as const;
beforeAll(async () => {
  const dir = cleanUp.use(await makeScratch("authorisation")).path;
  const bed = cleanUp.use(
    await openTestBed({
      PUBLIC_URL: publicUrl,
      REQUESTS_PER_MINUTE_MAX: many,
      DOCUMENTS_PER_MINUTE_MAX: many,
      FAILED_AUTHENTICATIONS_PER_MINUTE_MAX: many,
    }),
  );
  const { api, routes: registered } = await buildWithRoutes(bed.ctx, {
    rememberKeyMs: 0, // a suspension is seen at once
  });
  cleanUp.defer(() => api.close());
  call = callerOf(api);
  const open = async (): Promise<Owner> => {
    const { ids, ...owner } = await openOwner({ bed, dir, call });
    return { ...owner, ids: Object.assign({}, ...ids.values()) };
  };
  fixture = { bed, owner: await open(), suspended: await open() };
  await suspendAccount(bed.ctx, command, fixture.suspended.accountId, "test");
  routes = await withoutRefusedMethods(registered);
});
afterAll(() => cleanUp.disposeAsync());

/** Every other method of a known address is a route too, which returns 405. */
async function withoutRefusedMethods(all: Route[]): Promise<Route[]> {
  const kept: Route[] = [];
  for (const route of all) {
    const { status } = await call(null, requestOf(route, policies.everyone, {}));
    if (status !== 405) kept.push(route);
  }
  return kept;
}

/** The smallest request that reaches the endpoint. */
function requestOf({ method, url }: Route, policy: Policy, ids: Owner["ids"]): Call {
  const named = policy.for === "account" ? Object.entries(policy.ids) : [];
  const values = Object.fromEntries(
    named.map(([name, family]) => {
      const [first] = [family].flat();
      const id = first && ids[first];
      assert(id !== undefined, `nothing of the kind ${first} was made`);
      return [name, id];
    }),
  );
  const path = url.replace(/:(\w+)/g, (_, name: string) => values[name] ?? "unknown");
  const hasBody = ["POST", "PUT", "PATCH"].includes(method);
  const query = hasBody ? "" : `?${new URLSearchParams(values)}`;
  return {
    method: method as Call["method"],
    url: path + query,
    ...(hasBody ? { body: values } : {}),
  };
}

interface Cell {
  isRefused: boolean;
  /** The response, such as `403 role_missing`. */
  answer: string;
}

/** Returns the response for one kind of actor. A missing object counts as a refusal for a stranger. */
async function ask(route: Route, policy: Policy, name: ActorName): Promise<Cell> {
  const headers = await actors[name].headers(fixture, policy);
  const { status, text } = await call(null, {
    ...requestOf(route, policy, fixture[actors[name].account].ids),
    headers: { origin: publicUrl, ...headers },
  });
  expect(status, `${route.name} for ${name}: ${text}`).not.toBe(500);
  const isRefused =
    [401, 403].includes(status) ||
    (policy.for === "link" && status >= 400) ||
    (status === 404 && name === "foreign key" && isAboutOthers(policy));
  return { isRefused, answer: isRefused ? `${status} ${JSON.parse(text).code}` : "yes" };
}

function isAboutOthers(policy: Policy): boolean {
  return policy.for === "account" && policy.stranger !== null;
}

/** Returns the faults: routes without a row, and rows without a route. */
function faultsOf(found: readonly Route[], rows: Readonly<Record<string, Policy>>): string[] {
  const names = new Set(found.map(({ name }) => name));
  const missing = found.filter(({ name }) => !Object.hasOwn(rows, name));
  const stale = Object.keys(rows).filter((name) => !names.has(name));
  return [
    ...missing.map(
      (route) =>
        `${route.name} has no row in ${tableFile}. Decide who may call it and add the row; the route itself says ${suggestRow(route)}`,
    ),
    ...stale.map((name) => `${name} is not an endpoint: remove its row from ${tableFile}.`),
  ];
}

test("every endpoint of the server has a row in the table, and every row is an endpoint", () => {
  expect(routes.length).toBeGreaterThan(30);
  expect(faultsOf(routes, table)).toEqual([]);
});

test("an endpoint without a row is reported with the row to add", () => {
  const url = "/api/v1/account/unlisted";
  const config = { scope: "account", role: "owner" } as const;
  const added: Route = { name: `POST ${url}`, method: "POST", url, config };
  const [fault, ...others] = faultsOf([...routes, added], table);
  expect(others).toEqual([]);
  expect(fault).toContain(`POST ${url} has no row in ${tableFile}`);
  expect(fault).toContain(`"POST ${url}": ownersWrite("account"),`);
});

test("every kind of actor is answered at every endpoint as the table says", async () => {
  const faults: string[] = [];
  for (const route of routes) {
    const policy = table[route.name];
    assert(policy !== undefined, `${route.name} has no row`);
    for (const name of actorNames) {
      const { isRefused, answer } = await ask(route, policy, name);
      const expected = expectedOf(policy, name);
      const isRight = policy.for === "link" ? isRefused : answer === expected;
      if (!isRight) faults.push(`${route.name} answers ${name} ${answer}, not ${expected}`);
    }
  }
  expect(faults).toEqual([]);
});

test("docs/generated/authorisation.md is the table; if this fails, run npm run generate", async () => {
  expect(await readFile(pageFile, "utf8")).toBe(renderPage());
});
