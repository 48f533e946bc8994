import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type Document,
  type HostileRequest,
  hostileRequests,
} from "../../test/harness/hostile-requests.ts";
import { openPerson } from "../../test/harness/open-person.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { buildApi } from "../api/build-api.ts";
import { withoutUndefined } from "../http/without-undefined.ts";

let bed: TestBed;
let api: Awaited<ReturnType<typeof buildApi>>;
let headers: Record<string, string>;
beforeAll(async () => {
  bed = await openTestBed({ REQUESTS_PER_MINUTE_MAX: "10000000" });
  // Every guess is allowed and wrong: the requests are to reach the code behind the limits.
  const guesses = { take: () => () => {}, takeMail: () => {} };
  const passwords = { hash: async () => "not a hash", matches: async () => false };
  api = await buildApi({ ...bed.ctx, guesses, passwords });
  await api.ready();
  const owner = await openPerson(bed, { role: "owner" });
  await bed.database.sql("insert into staff values ($1, 'operator')", [owner.personId]);
  ({ headers } = owner);
});
afterAll(async () => {
  await api.close();
  await bed[Symbol.asyncDispose]();
});

/** Returns the fault of the response; `null` if the operation's description contains it. */
async function faultOf(request: HostileRequest): Promise<string | null> {
  const { method, url, payload, operation } = request;
  const answer = await api.inject(
    withoutUndefined({
      method: method as "GET",
      url,
      headers: { ...headers, ...request.headers },
      payload,
    }),
  );
  const { statusCode, payload: text } = answer;
  if (statusCode < 500 && operation.responses?.[statusCode] !== undefined) return null;
  return `${request.about}: ${statusCode} ${text.slice(0, 200)}`;
}

test("a signed-in person's hostile requests are answered as described, never with a 5xx", async () => {
  const document: Document = (await api.inject({ url: "/openapi.json" })).json();
  const faults: string[] = [];
  let count = 0;
  for (const [path, methods] of Object.entries(document.paths ?? {}))
    for (const [method, operation] of Object.entries(methods)) {
      const { tags = [] } = operation as { tags?: string[] };
      if (!tags.includes("people") && !tags.includes("staff")) continue;
      if (/^\/api\/v1\/session$/.test(path) && method === "delete") continue; // it would end the session
      const only = { ...document, paths: { [path]: { [method]: operation } } };
      for (const request of hostileRequests(only)) {
        const fault = await faultOf(request);
        if (fault !== null) faults.push(`${method} ${path} ${fault}`);
        count++;
      }
    }
  expect(faults.slice(0, 20)).toEqual([]);
  expect(count).toBeGreaterThan(100);
}, 600_000);
