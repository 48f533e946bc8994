import assert from "node:assert";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { buildApi } from "../../src/api/build-api.ts";
import type { AssetId } from "../../src/ids.ts";
import { buildWithRoutes, type Route } from "../authorisation/routes.ts";
import { scaled } from "../harness/scale.ts";
import { openTestBed } from "../harness/test-context.ts";
import { type Answer, callerOf } from "./call.ts";
import { type Family, missing, type Owner, type TenancyFixture } from "./kinds.ts";
import { leaksIn, openOwner, viewOf } from "./owners.ts";
import { type Place, places as placesOf, readsWithoutIds } from "./places.ts";

/** The number of accounts, each with one of everything. No account sees anything of another. */
const accountsMax = scaled(20, 50);
const atOnceMax = 20;
const turns = 4;
const publicUrl = "http://127.0.0.1:8080";
const places = placesOf(publicUrl);
const families = Object.keys(missing) as Family[];

const cleanUp = new AsyncDisposableStack();
let api: Awaited<ReturnType<typeof buildApi>>;
let routes: Route[];
let fixture: TenancyFixture;
let before: string[];
const owners: Owner[] = [];
beforeAll(async () => {
  const dir = cleanUp.use(await makeScratch("tenancy")).path;
  const settings = { PUBLIC_URL: publicUrl, REQUESTS_PER_MINUTE_MAX: "1000000" };
  const bed = cleanUp.use(await openTestBed(settings));
  ({ api, routes } = await buildWithRoutes(bed.ctx));
  cleanUp.defer(() => api.close());
  fixture = { bed, dir, call: callerOf(api) };
  while (owners.length < accountsMax) owners.push(await openOwner(fixture));
  before = await inTurns(owners.map((owner) => () => viewOf(fixture, owner)));
});
afterAll(() => cleanUp.disposeAsync());

async function inTurns<Result>(work: (() => Promise<Result>)[]): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = work.entries();
  const go = async () => {
    for (const [index, one] of waiting) results[index] = await one();
  };
  await Promise.all(Array.from({ length: atOnceMax }, go));
  return results;
}

const unknown = new Map<string, Promise<Answer>>();

/**
 * Returns the response of the place to an id that does not exist. It is the same for everybody and
 * requested once.
 */
function answerToMissing(place: Place, family: Family): Promise<Answer> {
  const name = `${place.name} ${family}`;
  const known =
    unknown.get(name) ?? fixture.call(owners[0]?.key ?? null, place.call(missing[family]));
  unknown.set(name, known);
  return known;
}

/** All of a response that can reveal anything, without the id where a place says which it did not find. */
function seen({ repeatsId }: Place, { status, headers, text }: Answer, id: string): string {
  if (!repeatsId) return `${status} ${headers} ${text}`;
  return `${status} ${text.replaceAll(`"${id}"`, '"<id>"')}`; // its length is in the headers
}

/** Sends an owner's id to a place as a stranger. Returns the faults of the response, a sentence each. */
async function faultsOf(
  { stranger, owner }: { stranger: Owner; owner: Owner },
  place: Place,
  family: Family,
  id: string,
): Promise<string[]> {
  const answer = await fixture.call(stranger.key, place.call(id));
  const nothing = await answerToMissing(place, family);
  const isDenied = place.stranger === "denied" && place.takes.includes(family);
  const isRight = isDenied
    ? nothing.status === 404 && answer.status === 403 && answer.text.includes('"access_denied"')
    : seen(place, answer, id) === seen(place, nothing, missing[family]);
  const answered = `${place.name} answers a stranger ${answer.status} ${answer.text}`;
  return [
    ...(isRight ? [] : [`${answered}, and ${nothing.text} to who has it not`]),
    ...leaksIn(answer.text, stranger, owner, id).map((leak) => `${answered} with ${leak}`),
  ];
}

/** Every pair of an account and a stranger to it. */
function pairs(): { stranger: Owner; owner: Owner; number: number }[] {
  return owners.flatMap((stranger, i) =>
    owners.flatMap((owner, j) =>
      i === j ? [] : [{ stranger, owner, number: i * accountsMax + j }],
    ),
  );
}

function someOwner(number: number): Owner {
  const owner = owners[number];
  assert(owner !== undefined);
  return owner;
}

test("owners do see what is theirs: a leak would be noticed", async () => {
  const [owner, stranger] = [someOwner(7), someOwner(8)];
  const shown: string[] = [];
  for (const ids of owner.ids.values())
    for (const place of places.filter(({ isRead }) => isRead))
      for (const family of place.takes) {
        const id = ids[family];
        if (id === undefined) continue;
        const { status, text } = await fixture.call(owner.key, place.call(id));
        expect(status, place.name).toBe(200);
        shown.push(text);
      }
  expect(shown.length).toBeGreaterThanOrEqual(18); // 2 tasks and an upscale in 4 places, an upload, a delivery, 2 assets by 2 ids each
  shown.push((await fixture.call(owner.key, { method: "GET", url: "/api/v1/assets/list" })).text);
  for (const text of shown) expect(leaksIn(text, stranger, owner)).not.toEqual([]);
});

describe.each(families)("every account's ids of every kind, as %s", (family) => {
  const taking = places.filter(({ takes }) => takes.includes(family));
  const reads = taking.filter(({ isRead }) => isRead);
  const others = taking.filter((place) => !reads.includes(place));

  /** Every pair tries what reads. The other places take turns: they find things by the same functions. */
  function placesFor(number: number): Place[] {
    const other = others[Math.floor(number / turns) % Math.max(1, others.length)];
    const isDue = reads.length === 0 || number % turns === 0;
    return isDue && other !== undefined ? [...reads, other] : reads;
  }

  test("to every other account they are nothing, at every place that takes them", async () => {
    const tried = new Set<string>();
    const work = pairs().flatMap((pair) =>
      [...pair.owner.ids].flatMap(([kind, ids]) => {
        const id = ids[family];
        if (id === undefined) return [];
        return placesFor(pair.number).map((place) => () => {
          tried.add(`${kind} ${place.name}`);
          return faultsOf(pair, place, family, id);
        });
      }),
    );
    expect((await inTurns(work)).flat()).toEqual([]);
    const kindsOfFamily = [...someOwner(0).ids].filter(([, ids]) => family in ids);
    expect(tried.size).toBe(kindsOfFamily.length * taking.length);
    expect(work.length).toBeGreaterThanOrEqual(accountsMax * (accountsMax - 1));
  });

  test("and nothing at places for ids of other kinds", async () => {
    const [owner, stranger] = [someOwner(0), someOwner(1)];
    const elsewhere = places.filter(({ takes }) => !takes.includes(family));
    const work = [...owner.ids.values()]
      .flatMap((ids) => ids[family] ?? [])
      .flatMap((id) =>
        elsewhere.map((place) => () => faultsOf({ stranger, owner }, place, family, id)),
      );
    expect((await inTurns(work)).flat()).toEqual([]);
    expect(work.length).toBeGreaterThan(0);
  });
});

test("lists and statements have the caller's own", async () => {
  const urls = readsWithoutIds(places);
  expect(urls.length).toBeGreaterThan(10);
  const work = owners.map((stranger) => async () => {
    const leaks: string[] = [];
    for (const url of urls) {
      const { status, text } = await fixture.call(stranger.key, { method: "GET", url });
      const others = owners.filter((owner) => owner !== stranger);
      leaks.push(...others.flatMap((owner) => leaksIn(text, stranger, owner)));
      expect(status).toBe(200);
    }
    return leaks;
  });
  expect((await inTurns(work)).flat()).toEqual([]);
});

test("a list that begins at another account's id has only the caller's own", async () => {
  const numbersOf = ({ ids }: Owner) =>
    [...ids.values()].flatMap((of) => of["asset number"] ?? []).map(Number);
  const pageAt = (stranger: Owner, path: string) =>
    fixture.call(stranger.key, { method: "GET", url: `/api/v1/${path}` });
  const assets = pairs().map(({ stranger, owner }) => async () => {
    const [cursor = 0] = numbersOf(owner);
    const { text } = await pageAt(stranger, `assets/list?cursor=${cursor}`);
    const { items } = JSON.parse(text) as { items: { assetId: AssetId }[] };
    const listed = items.map(({ assetId }) => assetId).join();
    const earlier = numbersOf(stranger).filter((id) => id < cursor);
    const isRight = listed === earlier.sort((a, b) => b - a).join();
    return [...(isRight ? [] : [text]), ...leaksIn(text, stranger, owner)];
  });
  const some = pairs().filter(({ number }) => number % turns === 0);
  const deliveries = some.map(({ stranger, owner }) => async () => {
    const cursor = owner.ids.get("finished task")?.delivery;
    const { status, text } = await pageAt(stranger, `webhooks/deliveries?cursor=${cursor}`);
    return [...(status === 200 ? [] : [text]), ...leaksIn(text, stranger, owner)];
  });
  const tasks = some.map(({ stranger, owner }) => async () => {
    const cursor = owner.ids.get("open upscale")?.upscale;
    const { status, text } = await pageAt(stranger, `jobs/list?cursor=${cursor}`);
    return [...(status === 200 ? [] : [text]), ...leaksIn(text, stranger, owner, cursor)];
  });
  expect((await inTurns([...assets, ...deliveries, ...tasks])).flat()).toEqual([]);
});

test("another account's request, repeated with its Idempotency-Key, gets nothing of its answer", async () => {
  const statuses = new Set<number>();
  const work = pairs().map(({ stranger, owner, number }) => async () => {
    const creation = owner.creations[number % owner.creations.length];
    assert(creation !== undefined);
    const { status, headers, text } = await fixture.call(stranger.key, creation);
    statuses.add(status);
    const isReplayed = headers.includes("idempotent-replayed");
    return [...(isReplayed ? [text] : []), ...leaksIn(text, stranger, owner)];
  });
  expect((await inTurns(work)).flat()).toEqual([]);
  // An asset that is not the stranger's, or one task more than it may have: never the owner's task.
  expect([...statuses].sort()).toEqual([400, 429]);
});

test("a vendor's callback without its token is answered alike for every task and changes nothing", async () => {
  const tasks = owners.flatMap(({ ids }) => [...ids.values()].flatMap(({ task }) => task ?? []));
  const answers = await inTurns(
    [missing.task, ...tasks].map(
      (id) => () =>
        fixture.call(null, {
          method: "POST",
          url: `/vendors/ark/${id}/${"0".repeat(64)}`,
          body: {},
        }),
    ),
  );
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
});

test("after all this every account is as it was", async () => {
  const now = await inTurns(owners.map((owner) => () => viewOf(fixture, owner)));
  const withoutSignatures = (views: unknown) =>
    JSON.stringify(views).replaceAll(/\?expires=\d+&signature=[\w-]+/g, "");
  expect(withoutSignatures(now)).toBe(withoutSignatures(before));
});

interface Operation {
  security: object[];
  parameters?: { in: string; name: string }[];
  requestBody?: { content: Record<string, { schema?: { properties?: object } }> };
}

/**
 * Returns the endpoints of which an input is named like an id. Those that no key can call are tried in the
 * tests of people/.
 */
function endpointsWithIds(): string[] {
  const { paths } = JSON.parse(JSON.stringify(api.swagger())) as {
    paths: Record<string, Record<string, Operation>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { security, parameters = [], requestBody }]) => {
      const bodies = Object.values(requestBody?.content ?? {});
      const names = [
        ...parameters.filter((one) => one.in !== "header").map(({ name }) => name),
        ...bodies.flatMap(({ schema }) => Object.keys(schema?.properties ?? {})),
      ];
      const isForKeys = security.some((one) => "key" in one);
      const takesId = names.some((name) => /Ids?$/.test(name));
      return isForKeys && takesId ? [`${method.toUpperCase()} ${path}`] : [];
    }),
  );
}

test("every endpoint that takes an id is tried here", () => {
  const tried = new Set(places.map(({ endpoint }) => endpoint));
  const taking = endpointsWithIds();
  expect(taking.length).toBeGreaterThan(15);
  const untried = taking.filter((endpoint) => !tried.has(endpoint));
  expect(untried).toEqual(["GET /api/v1/account/requests"]); // tried in api/log-requests.db.test.ts
});

test("there is no address beside the API but links, tools, health, the clients, the reference and the console; operators have none", async () => {
  const roots = routes.map(({ url }) => `/${url.split("/")[1]}`);
  expect([...new Set(roots)].sort()).toEqual(
    [
      "/",
      "/api",
      "/console",
      "/health",
      "/llms.txt",
      "/mcp",
      "/media",
      "/openapi.json",
      "/packages",
      "/reference",
      "/vendors",
    ].sort(),
  );
  const key = owners[0]?.key ?? null;
  for (const url of ["operator", "admin", "metrics", "accounts", "keys", "credits/grant"])
    for (const path of [`/${url}`, `/api/v1/${url}`])
      for (const method of ["GET", "POST"] as const)
        expect((await fixture.call(key, { method, url: path })).status).toBe(404);
});
