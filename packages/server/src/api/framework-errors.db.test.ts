import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPerson } from "../../test/harness/open-person.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { errorCatalogue } from "../errors.ts";
import { buildApi } from "./build-api.ts";

let bed: TestBed;
let api: Awaited<ReturnType<typeof buildApi>>;
let port: number;
let key: string;
beforeAll(async () => {
  bed = await openTestBed();
  api = await buildApi(bed.ctx, {
    headersMsMax: 300,
    requestMsMax: 500,
    checkEveryMs: 50,
  });
  await api.listen({ host: "127.0.0.1", port: 0 });
  port = (api.server.address() as AddressInfo).port;
  ({ key } = await bed.openAccount());
});
afterAll(async () => {
  await api.close();
  await bed[Symbol.asyncDispose]();
});

/** Sends bytes as they are and reads until the server closes the connection. */
async function sendRaw(text: string): Promise<{ status: number; headers: string; body: string }> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {}); // a reset after the response is expected
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk;
  });
  socket.write(text);
  await once(socket, "close");
  const [head = "", body = ""] = received.split("\r\n\r\n");
  return { status: Number(head.split(" ")[1]), headers: head.toLowerCase(), body };
}

function expectCatalogued(answer: { status: number; headers: string; body: string }, code: string) {
  const json: unknown = JSON.parse(answer.body);
  expect(json).toMatchObject({ code, message: expect.stringMatching(/.{10,}/) });
  const entry = Object.entries(errorCatalogue).find(([name]) => name === code);
  expect(answer.status).toBe(entry?.[1].status);
  const { requestId } = json as { requestId: string };
  expect(answer.headers).toContain(`x-request-id: ${requestId}`);
  expect(answer.headers).toContain("content-type: application/json");
}

const start = (line: string, ...headers: string[]) =>
  [line, "Host: x", "Connection: close", ...headers, "", ""].join("\r\n");
const soon = { timeoutMs: 300_000 };
const auth = () => `Authorization: Bearer ${key}`;
const json = "Content-Type: application/json";
const createLine = "POST /api/v1/jobs/createTask HTTP/1.1";

test.each([
  ["no HTTP at all", () => "hello\r\n\r\n", "malformed_request"],
  ["an unknown method", () => start("BREW / HTTP/1.1"), "malformed_request"],
  [
    "two different lengths",
    () => `${start(createLine, auth(), json, "Content-Length: 2", "Content-Length: 3")}{}x`,
    "malformed_request",
  ],
  [
    "a length and chunks at once",
    () => `${start(createLine, auth(), json, "Content-Length: 2", "Transfer-Encoding: chunked")}{}`,
    "malformed_request",
  ],
  ["a broken header", () => start("GET / HTTP/1.1", "no colon here"), "malformed_request"],
  [
    "headers beyond the limit",
    () => start("GET / HTTP/1.1", `X: ${"x".repeat(20_000)}`),
    "headers_too_large",
  ],
  [
    "an address beyond the limit",
    () => start(`GET /${"x".repeat(20_000)} HTTP/1.1`),
    "headers_too_large",
  ],
  ["headers that never end", () => "GET / HTTP/1.1\r\nHost: x\r\n", "request_timeout"],
  [
    "a body that never ends",
    () => `${start(createLine, auth(), json, "Content-Length: 100")}{"model"`,
    "request_timeout",
  ],
  [
    "an unknown expectation",
    () => start("GET /health HTTP/1.1", "Expect: coffee"),
    "expectation_failed",
  ],
  ["an address that is no text", () => start("GET /%zz HTTP/1.1"), "not_found"],
  ["an address that does not exist", () => start("GET /api/v1/nothing HTTP/1.1"), "not_found"],
  ["another method", () => start("DELETE /api/v1/jobs/createTask HTTP/1.1"), "method_not_allowed"],
  [
    "another method with a body",
    () => `${start("PUT /health HTTP/1.1", "Content-Length: 1")}x`,
    "method_not_allowed",
  ],
  ["a preflight", () => start("OPTIONS /api/v1/account/credits HTTP/1.1"), "method_not_allowed"],
  ["no body", () => start(createLine, auth(), json, "Content-Length: 0"), "invalid_json"],
  ["broken JSON", () => `${start(createLine, auth(), json, "Content-Length: 1")}{`, "invalid_json"],
  [
    "a member that would change an object",
    () => `${start(createLine, auth(), json, "Content-Length: 23")}{"__proto__":{"a":"b"}}`,
    "invalid_json",
  ],
  [
    "a compressed body",
    () => `${start(createLine, auth(), json, "Content-Encoding: gzip", "Content-Length: 2")}{}`,
    "unsupported_media_type",
  ],
  [
    "a body beyond the limit",
    () => start(createLine, auth(), json, "Content-Length: 999999"),
    "body_too_large",
  ],
  ["no key", () => start("GET /api/v1/models HTTP/1.1"), "unauthorized"],
])("%s is answered from the catalogue", async (_name, request, code) => {
  expectCatalogued(await sendRaw(request()), code);
});

test.each([
  "Content-Type: application/x-www-form-urlencoded", // what `curl -d` sends
  "Content-Type: text/plain",
  "Content-Type: text/json",
  "Content-Type: application/vnd.api+json; charset=utf-8",
  "Content-Type: */*",
  "Content-Type: no type at all",
  "X-Type: none",
])("with a key a body is JSON, with %s too", async (type) => {
  const body = JSON.stringify({ model: "sd2", inputs: { prompt: "a fox" } });
  const line = "POST /api/v1/jobs/quote HTTP/1.1";
  const { status } = await sendRaw(
    `${start(line, auth(), type, `Content-Length: ${body.length}`)}${body}`,
  );
  expect(status).toBe(200);
});

test("without a key a body needs its type, with a session too", async () => {
  const body = JSON.stringify({ email: "a@example.com", password: "x" });
  const line = "POST /api/v1/session HTTP/1.1";
  for (const type of ["Content-Type: text/plain", "X-Type: none"])
    expectCatalogued(
      await sendRaw(`${start(line, type, `Content-Length: ${body.length}`)}${body}`),
      "unsupported_media_type",
    );
  const { headers } = await openPerson(bed, { role: "owner" });
  for (const type of ["text/plain", "application/x-www-form-urlencoded"]) {
    const url = "/api/v1/jobs/quote";
    const sent = { ...headers, "content-type": type };
    const answer = await api.inject({ method: "POST", url, headers: sent, payload: body });
    expect(answer.statusCode, type).toBe(415);
    expect(answer.json()).toMatchObject({ code: "unsupported_media_type" });
  }
});

test.each([
  ["gzip", `${createLine}`, "Content-Encoding: gzip", "{}", /'gzip' is not supported/],
  ["a body that is too large", createLine, json, "x".repeat(300_000), /262144 bytes/],
  ["a stranger's body", "POST /api/v1/session HTTP/1.1", json, "x".repeat(5_000), /4096 bytes/],
  ["__proto__", createLine, json, '{"__proto__":{"a":"b"}}', /member named __proto__/],
  ["brackets", createLine, json, "[".repeat(100_000), /more than 64 levels/],
  ["values", createLine, json, `[${"1,".repeat(100_000)}1]`, /more than 5000 values/],
])("the answer to %s says what is wrong", async (_name, line, header, body, message) => {
  const answer = await sendRaw(
    `${start(line, auth(), header, `Content-Length: ${body.length}`)}${body}`,
  );
  expect(JSON.parse(answer.body).message).toMatch(message);
});

test("a 405 says which methods the address takes", async () => {
  const allowed = async (line: string) =>
    /allow: (.*)/.exec((await sendRaw(start(`${line} HTTP/1.1`))).headers)?.[1];
  expect(await allowed("GET /api/v1/jobs/createTask")).toBe("post");
  expect(await allowed("POST /api/v1/jobs/queryTask")).toBe("get, head");
  expect(await allowed("PATCH /media/0123")).toBe("get, head");
});

test("what arrives on an open connection while the server stops is still answered", async () => {
  const other = await buildApi(bed.ctx);
  await other.listen({ host: "127.0.0.1", port: 0 });
  const { port: otherPort } = other.server.address() as AddressInfo;
  const { id, key: itsKey } = await bed.openAccount();
  const body = JSON.stringify({ model: "sd2", inputs: { prompt: "a fox" } });
  await bed.database.sql("begin");
  await bed.database.sql("select from accounts where id = $1 for update", [id]);
  const socket = connect(otherPort, "127.0.0.1");
  const closed = once(socket, "close");
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk;
  });
  const head = [createLine, "Host: x", json, `Authorization: Bearer ${itsKey}`];
  socket.write(`${[...head, `Content-Length: ${body.length}`].join("\r\n")}\r\n\r\n${body}`);
  await waitUntil(
    "the create waits for the account",
    async () => {
      const waiting = await bed.database.sql(
        `select from pg_locks where locktype in ('tuple', 'transactionid')
           and not granted and pid in (select pid from pg_stat_activity where datname = current_database())`,
      );
      return waiting.length > 0;
    },
    soon,
  );
  const closing = other.close();
  await waitUntil("the server takes no new connections", () => !other.server.listening, soon);
  socket.write("GET /health HTTP/1.1\r\nHost: x\r\n\r\n");
  await bed.database.sql("commit");
  await Promise.all([closing, closed]);
  // 503 if the lock was held for longer than a create waits for it
  expect(received.match(/HTTP\/1.1 \d+/g)?.join()).toMatch(/^HTTP\/1.1 (200|503),HTTP\/1.1 200$/);
});
