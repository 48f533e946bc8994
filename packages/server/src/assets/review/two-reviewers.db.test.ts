import { afterAll, beforeAll, expect, test } from "vitest";
import { openPerson } from "../../../test/harness/open-person.ts";
import { fillQueue, passMinutes } from "../../../test/harness/review-bed.ts";
import { openTestBed, type TestBed } from "../../../test/harness/test-context.ts";
import { buildApi } from "../../api/build-api.ts";
import { withoutUndefined } from "../../http/without-undefined.ts";
import type { AssetId, StaffRole } from "../../ids.ts";
import { refusalCodes } from "./reasons.ts";

const cleanUp = new AsyncDisposableStack();
let bed: TestBed;
/** Two api processes, as far as the database can tell. */
let urls: string[];
beforeAll(async () => {
  const settings = { REVIEW_IMAGE: "manual", REQUESTS_PER_MINUTE_MAX: "100000" };
  bed = cleanUp.use(await openTestBed(settings));
  urls = await Promise.all(
    [bed.ctx, bed.openAnother()].map(async (ctx) => {
      const api = await buildApi(ctx);
      cleanUp.defer(() => api.close());
      return api.listen({ host: "127.0.0.1", port: 0 });
    }),
  );
});
afterAll(() => cleanUp.disposeAsync());

interface Answer {
  status: number;
  /** Whether the server was too busy before: whether that request did something is not known. */
  isRepeated: boolean;
  body: Record<string, unknown> & { items?: { assetId: AssetId }[]; code?: string };
}
type Call = (method: "GET" | "POST", path: string, body?: object) => Promise<Answer>;

/** A member of the staff in a browser. */
async function signedIn(staff: StaffRole, staffNumber = 0): Promise<Call & { personId: string }> {
  const { headers, personId } = await openPerson(bed, { staff });
  const call: Call = async (method, path, body) => {
    const answer = await send(method, path, body);
    if (answer.status !== 503) return answer;
    return { ...(await call(method, path, body)), isRepeated: true };
  };
  const send: Call = async (method, path, body) => {
    const response = await fetch(`${urls[staffNumber]}/api/admin/v1/review${path}`, {
      method,
      headers: withoutUndefined({
        ...headers,
        "content-type": body === undefined ? undefined : "application/json",
      }),
      body: body === undefined ? null : JSON.stringify(body),
    });
    const answer = (await response.json()) as Answer["body"];
    return { status: response.status, body: answer, isRepeated: false };
  };
  return Object.assign(call, { personId });
}

async function claimNext(call: Call, count: number): Promise<AssetId[]> {
  const answer = await call("POST", "/claim-next", { count });
  const { items = [] } = (answer.isRepeated ? await call("GET", "?mine=true") : answer).body;
  return items.map(({ assetId }) => assetId);
}

function judge(call: Call, assetId: AssetId): Promise<Answer> {
  return assetId % 3 === 0
    ? call("POST", "/refuse", { assetId, code: "sexual" })
    : call("POST", "/approve", { assetId });
}

/** Judges until nothing is left to claim. */
async function judgeAll(call: Call, onBatch: (number: number) => Promise<void>): Promise<void> {
  for (let number = 1; ; number++) {
    const ids = await claimNext(call, 10);
    if (ids.length === 0) return;
    const answers = await Promise.all(ids.map((assetId) => judge(call, assetId)));
    for (const { status, body, isRepeated } of answers)
      expect(isRepeated ? [200, 409] : [200], JSON.stringify(body)).toContain(status);
    await onBatch(number);
  }
}

test("two reviewers judge a queue of 1,000 assets, each asset once, also those of a reviewer who died and of one who is late", async () => {
  const accounts = await Promise.all(Array.from({ length: 10 }, () => bed.openAccount()));
  const ids = (await Promise.all(accounts.map(({ id }) => fillQueue(bed, id, 100)))).flat();
  const [one, other] = [await signedIn("reviewer", 0), await signedIn("operator", 1)];
  const [dead, late] = [await signedIn("reviewer", 0), await signedIn("reviewer", 1)];
  expect(await claimNext(dead, 20)).toHaveLength(20); // and nothing more is heard of it
  const held = await claimNext(late, 20);
  const lateAnswers: Promise<Answer>[] = [];
  const onBatch = async (number: number) => {
    if (number !== 5) return;
    const expired = `update open_reviews set claimed_until = now() where claimed_by in ($1, $2)`;
    await bed.database.sql(expired, [dead.personId, late.personId]);
    lateAnswers.push(...held.map((assetId) => judge(late, assetId)));
  };
  await Promise.all([judgeAll(one, onBatch), judgeAll(other, async () => {})]);
  expect(lateAnswers).toHaveLength(20);
  for (const { status, body } of await Promise.all(lateAnswers)) {
    expect({ status, code: body.code }).toEqual({ status: 409, code: "claim_lost" });
    expect(body["message"]).toContain("Nothing was decided.");
  }
  const verdicts = await bed.database.sql<{ id: AssetId; count: number; by: string }>(
    `select asset_id::int as id, count(*)::int as count, min(actor) as by from asset_reviews
     where asset_id = any ($1) group by asset_id order by asset_id`,
    [ids],
  );
  expect(verdicts.map(({ id }) => id)).toEqual(ids.toSorted((a, b) => a - b));
  expect(verdicts.filter(({ count }) => count !== 1)).toEqual([]);
  expect(new Set(verdicts.map(({ by }) => by)).size).toBe(2);
  const audited = await bed.database.sql(
    "select distinct object from audit_entries where action in ('asset.approve', 'asset.refuse')",
  );
  expect(audited).toHaveLength(ids.length);
  const { body } = await one("GET", "/figures");
  const figures = body["items"] as unknown as { judged: number; approved: number }[];
  expect(figures.reduce((sum, { judged }) => sum + judged, 0)).toBe(ids.length);
}, 600_000);

test("the list is oldest first, in pages, and says who judges what", async () => {
  const account = await bed.openAccount();
  await bed.database.sql("delete from open_reviews");
  const ids = await fillQueue(bed, account.id, 5);
  const [reviewer, support] = [await signedIn("reviewer"), await signedIn("support")];
  const [first] = ids;
  await reviewer("POST", "/claim", { assetId: first });
  const seen: AssetId[] = [];
  let cursor: unknown = null;
  do {
    const page: Answer = await support("GET", `?limit=2${cursor ? `&cursor=${cursor}` : ""}`);
    expect(page.status).toBe(200);
    seen.push(...(page.body.items ?? []).map(({ assetId }) => assetId));
    cursor = page.body["nextCursor"];
  } while (cursor !== null);
  expect(seen).toEqual(ids);
  const { body } = await reviewer("GET", "?mine=true");
  expect(body.items).toMatchObject([{ assetId: first, claim: { isMine: true } }]);
  expect((await support("GET", "?limit=1")).body.items).toMatchObject([
    { assetId: first, claim: { by: reviewer.personId, isMine: false } },
  ]);
});

test("over HTTP a reviewer renews, releases, refuses with a reason of the list, and undoes", async () => {
  const account = await bed.openAccount();
  await bed.database.sql("delete from open_reviews");
  const ids = await fillQueue(bed, account.id, 3);
  const reviewer = await signedIn("reviewer");
  const [assetId, second] = (await claimNext(reviewer, 2)) as [AssetId, AssetId];
  expect([assetId, second]).toEqual(ids.slice(0, 2));
  const renewed = await reviewer("POST", "/renew");
  expect(renewed.body["claims"]).toHaveLength(2);
  expect((await reviewer("POST", "/release", { assetIds: [second] })).body).toEqual({
    released: [second],
  });
  const { body } = await reviewer("GET", "/reasons");
  expect(body["reasons"]).toHaveLength(refusalCodes.length);
  const bare = await reviewer("POST", "/refuse", { assetId, code: "other" });
  expect(bare).toMatchObject({ status: 400, body: { param: "text" } });
  const unknown = await reviewer("POST", "/refuse", { assetId, code: "ugly" });
  expect(unknown).toMatchObject({ status: 400, body: { param: "code" } });
  const refused = await reviewer("POST", "/refuse", { assetId, code: "other", text: "Too dark." });
  expect(refused).toMatchObject({ status: 200, body: { undoableUntil: expect.any(Number) } });
  const undone = await reviewer("POST", "/undo", { assetId });
  expect(undone.body.items).toMatchObject([{ assetId, claim: { isMine: true } }]);
  await passMinutes(bed, 6);
  expect(await reviewer("POST", "/approve", { assetId })).toMatchObject({
    status: 409,
    body: { code: "claim_lost" },
  });
});

test("support reads and judges nothing; a customer does neither", async () => {
  const account = await bed.openAccount();
  const [assetId] = await fillQueue(bed, account.id, 1);
  const support = await signedIn("support");
  for (const [path, body] of [
    ["/claim", { assetId }],
    ["/claim-next", { count: 1 }],
    ["/renew", undefined],
    ["/release", {}],
    ["/approve", { assetId }],
    ["/refuse", { assetId, code: "sexual" }],
    ["/undo", { assetId }],
  ] as const)
    expect((await support("POST", path, body)).status, path).toBe(403);
  const { headers } = await openPerson(bed, { role: "owner" });
  const url = `${urls[0]}/api/admin/v1/review`;
  expect((await fetch(url, { headers })).status).toBe(403);
  const byKey = await fetch(url, { headers: { authorization: `Bearer ${account.key}` } });
  expect([401, 403]).toContain(byKey.status);
});
