import { mkdir, symlink, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from "node:zlib";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { buildApi } from "./build-api.ts";

const script = "assets/index-Ab3_x-9Z.js";
const files = {
  "index.html": `<!doctype html><script type="module" src="/console/${script}"></script>`,
  "favicon.svg": "<svg/>",
  "data.xyz": "of no known type",
  [script]: "console.log(1);".repeat(100),
};
const readsMax = 60;
const cleanUp = new AsyncDisposableStack();
let bed: TestBed;
let api: Awaited<ReturnType<typeof buildApi>>;
let port: number;
beforeAll(async () => {
  const { path } = cleanUp.use(await makeScratch("console"));
  const dir = join(path, "dist");
  await mkdir(join(dir, "assets"), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(dir, name), text);
  await writeFile(join(dir, `${script}.br`), brotliCompressSync(files[script] ?? ""));
  await writeFile(join(path, "secret.txt"), "outside");
  await symlink(join(path, "secret.txt"), join(dir, "link.txt"));
  const settings = { CONSOLE_DIR: dir, DOCUMENTS_PER_MINUTE_MAX: String(readsMax) };
  bed = cleanUp.use(await openTestBed(settings));
  api = await buildApi(bed.ctx);
  cleanUp.defer(() => api.close());
  port = Number(new URL(await api.listen({ host: "127.0.0.1", port: 0 })).port);
});
afterAll(() => cleanUp.disposeAsync());

const get = (url: string, headers: Record<string, string> = {}) =>
  api.inject({ url, headers, remoteAddress: "203.0.113.1" });

/** Requests a path exactly as written: clients and `inject` resolve it before they send it. */
function getRaw(path: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    sent.on("error", reject).end();
  });
}

test.each(["/console", "/console/", "/console/tasks/01998b6e", "/console/a%20b?x=1.5"])(
  "%s is the console's page, which no cache keeps",
  async (url) => {
    const { statusCode, payload, headers } = await get(url);
    expect([statusCode, payload]).toEqual([200, files["index.html"]]);
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
  },
);

test("/ leads to the console", async () => {
  const { statusCode, headers } = await get("/");
  expect([statusCode, headers.location]).toEqual([302, "/console"]);
});

test("a file with a hash in its name is kept for ever, another is asked for again", async () => {
  const hashed = await get(`/console/${script}`);
  expect(hashed.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  expect(hashed.headers["content-type"]).toBe("text/javascript; charset=utf-8");
  const icon = await get("/console/favicon.svg");
  expect(icon.headers["cache-control"]).toBe("no-cache");
  const known = await get("/console/favicon.svg", { "if-none-match": String(icon.headers.etag) });
  expect([known.statusCode, known.payload]).toEqual([304, ""]);
});

test("files come compressed, by the build or else by the api, with the same content", async () => {
  const br = await get(`/console/${script}`, { "accept-encoding": "gzip, br" });
  expect(br.headers["content-encoding"]).toBe("br");
  expect(brotliDecompressSync(br.rawPayload).toString()).toBe(files[script]);
  const zipped = await get(`/console/${script}`, { "accept-encoding": "gzip" });
  expect(gunzipSync(zipped.rawPayload).toString()).toBe(files[script]);
});

test("HEAD answers like GET without a body", async () => {
  const url = `/console/${script}`;
  const head = await api.inject({ method: "HEAD", url, remoteAddress: "203.0.113.4" });
  expect([head.statusCode, head.payload]).toEqual([200, ""]);
  expect(head.headers["content-length"]).toBe(String(files[script]?.length));
});

test("the page runs no script but its own, loads nothing from elsewhere and stands in no frame", async () => {
  for (const url of ["/console", `/console/${script}`, "/console/none.js"]) {
    const { headers } = await get(url);
    const policy = String(headers["content-security-policy"]).split("; ");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy.join()).not.toContain("unsafe");
    expect(headers).toMatchObject({
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "cross-origin-opener-policy": "same-origin",
      "permissions-policy": expect.stringContaining("camera=()"),
    });
  }
});

test("media of an S3 storage may be shown and sent to", async () => {
  await using stored = await openTestBed({
    S3_BUCKET: "media",
    S3_ENDPOINT: "https://s3.example.com/base",
    S3_ACCESS_KEY_ID: "id",
    S3_SECRET_ACCESS_KEY: "secret",
  });
  const other = await buildApi(stored.ctx);
  const { headers } = await other.inject("/console");
  await other.close();
  const policy = String(headers["content-security-policy"]);
  for (const source of ["img-src", "media-src", "connect-src"])
    expect(policy).toMatch(new RegExp(`${source} [^;]*https://s3\\.example\\.com(;|$)`));
});

test.each([
  "/console/../secret.txt",
  "/console/../../etc/passwd",
  "/console/%2e%2e/secret.txt",
  "/console/..%2fsecret.txt",
  "/console/..%2f..%2f..%2fetc%2fpasswd",
  "/console/assets/../../secret.txt",
  "/console/assets/..%5c..%5csecret.txt",
  "/console//etc/passwd.txt",
  "/console/index.html%00.js",
  "/console/link.txt",
  "/console/none.js",
  "/console/data.xyz",
  "/console/assets/index-Ab3_x-9Z.js.br",
  "/console/__proto__.js",
])("%s is refused", async (path) => {
  const { status, text } = await getRaw(path);
  expect([400, 404]).toContain(status);
  expect(text).not.toContain("outside");
});

test("an address that reads without end gets 429; another is served", async () => {
  const from = (remoteAddress: string) => api.inject({ url: "/console", remoteAddress });
  for (let n = 0; n < readsMax; n++) expect((await from("203.0.113.2")).statusCode).toBe(200);
  expect((await from("203.0.113.2")).json()).toMatchObject({ code: "rate_limited" });
  expect((await from("203.0.113.3")).statusCode).toBe(200);
});

test("without its files, the console says what to run, and is asked for again once they are there", async () => {
  const { path } = cleanUp.use(await makeScratch("console"));
  await using empty = await openTestBed({ CONSOLE_DIR: join(path, "none") });
  const other = await buildApi(empty.ctx);
  const { statusCode, payload } = await other.inject("/console/tasks");
  expect([statusCode, payload]).toEqual([404, expect.stringContaining("npm run build")]);
  await mkdir(join(path, "none"));
  await writeFile(join(path, "none", "index.html"), "here");
  expect((await other.inject("/console/tasks")).payload).toBe("here");
  await other.close();
});
