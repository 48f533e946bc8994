import Fastify from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { type Scope, scopes } from "../db/tables/accounts.ts";
import { buildApi } from "./build-api.ts";
import { requireScopes } from "./scopes.ts";

let bed: TestBed;
let api: Awaited<ReturnType<typeof buildApi>>;
const keys = new Map<Scope | "all", string>();
beforeAll(async () => {
  bed = await openTestBed();
  api = await buildApi(bed.ctx);
  for (const scope of scopes)
    keys.set(scope, (await bed.openAccount({ limits: { scopes: [scope] } })).key);
  keys.set("all", (await bed.openAccount()).key);
});
afterAll(async () => {
  await api.close();
  await bed[Symbol.asyncDispose]();
});

const domains: [RegExp, Scope][] = [
  [/^(POST|PATCH|DELETE) \/api\/v1\/account\/keys$/, "keys"],
  [/^\w+ \/api\/v1\/(jobs|upscale|models)\b/, "tasks"],
  [/^\w+ \/api\/v1\/assets\b/, "assets"],
  [/^\w+ \/api\/v1\/(webhooks|events)\b/, "webhooks"],
  [/^\w+ \/api\/v1\/account\b/, "account"],
];
const isSecret = (path: string) => /^\/api\/v1\/webhooks\/(endpoints\/)?secret/.test(path);
const isRead = (path: string, method: string) => method === "GET" || path === "/api/v1/jobs/query";

interface Operation {
  path: string;
  method: string;
  security: Record<string, string[]>[];
}

/** Everything that is documented and takes a key. */
async function operations(): Promise<Operation[]> {
  const { paths } = (await api.inject("/openapi.json")).json<{
    paths: Record<string, Record<string, { security: Operation["security"] }>>;
  }>();
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { security }]) => ({
        path,
        method: method.toUpperCase(),
        security,
      })),
    )
    .filter(({ security }) => security.some((one) => "key" in one));
}

const send = (scope: Scope | "all", { path, method }: Pick<Operation, "path" | "method">) =>
  api.inject({
    method: method as "GET",
    url: path,
    headers: { authorization: `Bearer ${keys.get(scope)}` },
    ...(method === "POST" || method === "PATCH" ? { payload: {} } : {}),
  });

/**
 * Whether every key may call the operation: what a key reads of itself, and the tools for agents, whose
 * calls are checked.
 */
const isForAnyKey = ({ security }: Operation) => security.some((one) => one["key"]?.length === 0);

test("a key of any scope reads its own limits and may call the tools for agents", async () => {
  const open = (await operations()).filter(isForAnyKey);
  expect(open.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "GET /api/v1/account/key",
    "POST /mcp",
  ]);
  for (const operation of open)
    for (const given of [...scopes, "all" as const])
      expect([401, 403]).not.toContain((await send(given, operation)).statusCode);
});

test("every route lets a key with its own scope pass, for reading one with 'read' as well, and no other", async () => {
  const all = await operations();
  expect(all.length).toBeGreaterThan(15);
  for (const operation of all) {
    const { path, method } = operation;
    if (isForAnyKey(operation)) continue;
    const scope = domains.find(([pattern]) => pattern.test(`${method} ${path}`))?.[1];
    if (scope === undefined) throw new Error(`${path} belongs to no domain`);
    const allowed: Scope[] = isRead(path, method) && !isSecret(path) ? [scope, "read"] : [scope];
    expect(operation.security, path).toEqual(allowed.map((name) => ({ key: [name] })));
    for (const given of scopes) {
      const answer = await send(given, operation);
      const about = `${method} ${path} with ${given}`;
      if (allowed.includes(given)) {
        expect([401, 403], about).not.toContain(answer.statusCode);
        continue;
      }
      expect(answer.statusCode, about).toBe(403);
      expect(answer.json(), about).toMatchObject({
        code: "scope_missing",
        message: `This request requires the scope ${allowed.map((name) => `'${name}'`).join(" or ")}, which this API key does not have. Use another key.`,
      });
    }
    // A key without scopes has all but the one that must be named.
    const { statusCode } = await send("all", operation);
    if (scope === "keys") expect(statusCode, path).toBe(403);
    else expect([401, 403], path).not.toContain(statusCode);
  }
});

test("HEAD is a GET to scopes", async () => {
  const credits = { path: "/api/v1/account/credits", method: "HEAD" };
  expect((await send("read", credits)).statusCode).toBe(200);
  expect((await send("tasks", credits)).statusCode).toBe(403);
});

test("a key with several scopes has them all, and a refused request counts towards its rate", async () => {
  const limits = { scopes: ["account", "assets"] as Scope[], requestsPerMinuteMax: 3 };
  const { key } = await bed.openAccount({ limits });
  const statuses: number[] = [];
  for (const url of ["account/credits", "assets/list", "models", "account/credits"]) {
    const headers = { authorization: `Bearer ${key}` };
    statuses.push((await api.inject({ url: `/api/v1/${url}`, headers })).statusCode);
  }
  expect(statuses).toEqual([200, 200, 403, 429]);
});

describe("a server with a route that", () => {
  test("does not say who may call it does not start", async () => {
    const app = Fastify();
    requireScopes(app);
    app.get("/forgotten", () => "");
    await expect(app.ready()).rejects.toThrow("GET /forgotten names neither");
  });

  test("names a scope, role, staff or person, or is public, does", async () => {
    const app = Fastify();
    requireScopes(app);
    app.get("/named", { config: { scope: "tasks" } }, () => "");
    app.get("/admin", { config: { staff: ["operator"] } }, () => "");
    app.get("/owners", { config: { role: "owner" } }, () => "");
    app.get("/me", { config: { person: "signed-in" } }, () => "");
    app.get("/open", { config: { isPublic: true } }, () => "");
    await app.ready();
    await app.close();
  });
});
