import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { buildApi } from "./build-api.ts";

const readsMax = 40;
let bed: TestBed;
let api: Awaited<ReturnType<typeof buildApi>>;
let baseUrl: string;
beforeAll(async () => {
  bed = await openTestBed({ DOCUMENTS_PER_MINUTE_MAX: String(readsMax) });
  api = await buildApi(bed.ctx);
  baseUrl = await api.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await api.close();
  await bed[Symbol.asyncDispose]();
});

const get = (url: string, headers: Record<string, string> = {}) =>
  api.inject({ url, headers, remoteAddress: "203.0.113.1" });

test.each(["/openapi.json", "/llms.txt", "/reference/", "/reference/swagger-ui-bundle.js"])(
  "%s is compressed for clients that accept it, with the same content, and is a 304 for clients that have it",
  async (url) => {
    const plain = await get(url);
    expect(plain.statusCode).toBe(200);
    expect(plain.headers["content-encoding"]).toBeUndefined();
    const zipped = await get(url, { "accept-encoding": "gzip, br;q=0" });
    expect(zipped.headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(zipped.rawPayload).equals(plain.rawPayload)).toBe(true);
    const br = await get(url, { "accept-encoding": "gzip, deflate, br" });
    expect(br.headers["content-encoding"]).toBe("br");
    expect(brotliDecompressSync(br.rawPayload).equals(plain.rawPayload)).toBe(true);
    const etag = String(plain.headers["etag"]);
    const known = await get(url, { "if-none-match": etag });
    expect([known.statusCode, known.payload]).toEqual([304, ""]);
  },
);

test("the reference loads only what is served here", async () => {
  const { payload } = await get("/reference/");
  const links = [...payload.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = ""]) => link);
  expect(links).toHaveLength(4);
  for (const link of links) expect((await get(link)).statusCode, link).toBe(200);
});

test("llms.txt names every model, and its links are of this deployment and answer", async () => {
  const { payload, headers } = await get("/llms.txt");
  expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
  for (const { name } of bed.ctx.models) expect(payload).toContain(`### ${name}\n`);
  expect(payload).toContain("until `usableBy` has the model"); // not until a person has reviewed the file
  const links = [...payload.matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => new URL(link));
  expect(links.length).toBeGreaterThan(1);
  for (const { origin, pathname } of links) {
    expect(origin).toBe(new URL(bed.ctx.config.links.publicUrl).origin);
    expect((await get(pathname)).statusCode, pathname).toBe(200);
  }
});

test("llms.txt of a service that does not serve its clients names them all the same", async () => {
  const { payload } = await get("/llms.txt");
  for (const name of ["TypeScript", "Python", "command line", "/mcp`", "unwrapWebhook"])
    expect(payload).toContain(name);
});

test("the catalogue of models comes compressed and as a 304, like the documents", async () => {
  const { key } = await bed.openAccount();
  const authorization = `Bearer ${key}`;
  const plain = await get("/api/v1/models", { authorization });
  const br = await get("/api/v1/models", { authorization, "accept-encoding": "br" });
  expect(brotliDecompressSync(br.rawPayload).equals(plain.rawPayload)).toBe(true);
  const etag = String(br.headers["etag"]);
  expect((await get("/api/v1/models", { authorization, "if-none-match": etag })).statusCode).toBe(
    304,
  );
});

test("an address that reads documents without end gets 429; another is served", async () => {
  const from = (remoteAddress: string) => api.inject({ url: "/openapi.json", remoteAddress });
  for (let i = 0; i < readsMax; i++) expect((await from("203.0.113.2")).statusCode).toBe(200);
  const refused = await from("203.0.113.2");
  expect([refused.statusCode, refused.json().code]).toEqual([429, "rate_limited"]);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect((await from("203.0.113.3")).statusCode).toBe(200);
});

test("models: the caller's own prices, with an ETag that spares the second download", async () => {
  const onA = await bed.openAccount();
  const onB = await bed.openAccount({ priceBook: "B" });
  const read = (key: string, headers?: Record<string, string>) =>
    fetch(`${baseUrl}/api/v1/models`, {
      headers: { authorization: `Bearer ${key}`, ...headers },
    });
  const first = await read(onA.key);
  const { models: listed, prices } = (await first.json()) as {
    models: { model: string; ageMaxSeconds: number }[];
    prices: object;
  };
  expect(listed.map(({ model, ageMaxSeconds }) => [model, ageMaxSeconds])).toEqual([
    ["sd2", 7200],
    ["sd2-fast", 7200],
    ["happyhorse", 7200],
    ["image-pro-2", 900],
    ["image-plus-2", 900],
  ]);
  expect(prices).toEqual({ priceVersion: "A@1", discount: null, change: null });
  const etag = first.headers.get("etag") ?? "";
  for (const named of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
    const again = await read(onA.key, { "if-none-match": named });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  }
  const changed = await read(onA.key, { "if-none-match": '"other"' });
  expect([changed.status, (await changed.text()).length > 0]).toEqual([200, true]);
  const other = await read(onB.key, { "if-none-match": etag });
  expect(other.status).toBe(200);
  expect(await other.text()).toContain('"priceVersion":"B@1"');
});

test("the API's description is served, and the reference page with its assets, without a key", async () => {
  const described = await fetch(`${baseUrl}/openapi.json`);
  expect(described.status).toBe(200);
  expect(await described.json()).toMatchObject({ openapi: "3.1.0" });
  const page = await fetch(`${baseUrl}/reference`);
  const html = await page.text();
  expect(page.status).toBe(200);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'self'");
  const assets = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? "");
  expect(assets.length).toBeGreaterThan(3);
  for (const address of assets) {
    const asset = new URL(address, `${page.url.replace(/\/?$/, "/")}`);
    expect(asset.origin).toBe(baseUrl);
    expect((await fetch(asset, { method: "HEAD" })).status, asset.href).toBe(200);
  }
});
