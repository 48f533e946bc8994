import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkMoney } from "../../test/harness/check-money.ts";
import {
  type Document,
  type HostileRequest,
  hostileRequests,
} from "../../test/harness/hostile-requests.ts";
import type { TestBed } from "../../test/harness/test-context.ts";
import { openVerifyBed } from "../../test/harness/verify-bed.ts";
import { errorCatalogue } from "../errors.ts";
import { withoutUndefined } from "../http/without-undefined.ts";
import { buildApi } from "./build-api.ts";

const cleanUp = new AsyncDisposableStack();
let bed: TestBed;
let api: Awaited<ReturnType<typeof buildApi>>;
let document: Document;
beforeAll(async () => {
  const limits = { REQUESTS_PER_MINUTE_MAX: "10000000", TEST_EVENTS_PER_MINUTE_MAX: "1000000" };
  ({ bed } = cleanUp.use(await openVerifyBed(limits)));
  api = await buildApi(bed.ctx);
  await api.ready();
  document = (await api.inject({ url: "/openapi.json" })).json();
});
afterAll(async () => {
  await api.close();
  await cleanUp.disposeAsync();
});

const generated = new URL("../../../../docs/generated/openapi.json", import.meta.url);
const operations = operationsOf(JSON.parse(await readFile(generated, "utf8")));

function operationsOf({ paths = {} }: Document): [method: string, path: string][] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method): [string, string] => [method, path]),
  );
}

test("the operations below are those of the running service", () => {
  expect(operations).toEqual(operationsOf(document));
});

test.each(operations)(
  "%s %s answers every hostile request as its description says, never with a 5xx",
  async (method, path) => {
    const { key } = await bed.openAccount({ credits: 100_000_000, openTasksMax: 1_000_000 });
    const operation = document.paths?.[path]?.[method];
    expect(operation).toBeDefined();
    const only = { ...document, paths: { [path]: { [method]: operation ?? {} } } };
    const faults: string[] = [];
    let count = 0;
    for (const request of hostileRequests(only)) {
      const fault = await faultOf(request, key);
      if (fault !== null) faults.push(`${request.about}: ${fault}`);
      count++;
    }
    expect(faults.slice(0, 20)).toEqual([]);
    expect(count).toBeGreaterThan(2);
  },
  600_000,
);

test("what was accepted of it is in order", async () => {
  await checkMoney(bed.database);
});

/** Whether this is the error with which the Model Context Protocol responds to a foreign message. */
function isRpcError(answer: { jsonrpc?: unknown; error?: { code?: unknown; message?: unknown } }) {
  const { code, message } = answer.error ?? {};
  return answer.jsonrpc === "2.0" && typeof code === "number" && typeof message === "string";
}

/** Returns the fault of the response; `null` if the operation's description contains it. */
async function faultOf(request: HostileRequest, key: string): Promise<string | null> {
  const { method, url, headers, payload, operation } = request;
  const answer = await api.inject(
    withoutUndefined({
      method: method as "GET",
      url,
      headers: { authorization: `Bearer ${key}`, ...headers },
      payload,
    }),
  );
  const status = answer.statusCode;
  if (status >= 500) return `${status} ${answer.payload}`;
  if (operation.responses?.[status] === undefined)
    return `${status} is not described: ${answer.payload.slice(0, 200)}`;
  if (status < 400) return null;
  if (url.startsWith("/mcp") && isRpcError(answer.json())) return null;
  const { message, code, requestId, param } = answer.json();
  const entry = errorCatalogue[code as keyof typeof errorCatalogue];
  if (entry?.status !== status) return `${status} with the code ${code}`;
  if (typeof message !== "string" || message === "") return `${status} without a message`;
  if (requestId !== answer.headers["x-request-id"]) return `${status} without its id`;
  if (status === 400 && (typeof param !== "string" || param === "")) return `${code} without param`;
  return null;
}
