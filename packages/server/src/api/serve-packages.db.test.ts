import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed } from "../../test/harness/test-context.ts";
import { readVersion } from "../settings/version.ts";
import { buildApi } from "./build-api.ts";

const version = readVersion();
const sdk = `zoetrope-sdk-${version}.tgz`;
const wheel = `zoetrope-${version}-py3-none-any.whl`;
const publicUrl = "http://127.0.0.1:8080";
const cleanUp = new AsyncDisposableStack();
let dir: string;
let baseUrl: string;
beforeAll(async () => {
  const scratch = cleanUp.use(await makeScratch("packages"));
  dir = join(scratch.path, "clients");
  const bed = cleanUp.use(await openTestBed({ PACKAGES_DIR: dir, PUBLIC_URL: publicUrl }));
  const api = await buildApi(bed.ctx);
  cleanUp.defer(() => api.close());
  baseUrl = await api.listen({ host: "127.0.0.1", port: 0 });
  await writeFile(join(scratch.path, "secret-0.tgz"), "secret");
});
afterAll(() => cleanUp.disposeAsync());

test("a service without packages says how they are made; then it serves them, with what to type, and nothing else of the folder", async () => {
  const none = await fetch(`${baseUrl}/packages/${sdk}`);
  expect(none.status).toBe(404);
  expect(((await none.json()) as { message: string }).message).toContain("npm run pack");
  expect(await (await fetch(`${baseUrl}/api/v1/packages`)).json()).toEqual({ version, items: [] });

  const page = async () => (await fetch(`${baseUrl}/llms.txt`)).text();
  expect(await page()).not.toContain("npm install");

  await mkdir(dir);
  for (const name of [sdk, wheel, "notes.txt", "zoetrope-sdk-0.0.9.tgz"])
    await writeFile(join(dir, name), `bytes of ${name}`);
  const text = await page();
  expect(text).toContain(`- \`npm install ${publicUrl}/packages/${sdk}\``);
  expect(text).not.toContain("npm install --global"); // the command line is not there
  const listed = await fetch(`${baseUrl}/packages`); // leads to the list
  expect(await listed.json()).toMatchObject({
    version,
    items: [
      {
        id: "typescript",
        name: "@zoetrope/sdk",
        url: `${publicUrl}/packages/${sdk}`,
        install: `npm install ${publicUrl}/packages/${sdk}`,
        sizeBytes: `bytes of ${sdk}`.length,
        sha256: createHash("sha256").update(`bytes of ${sdk}`).digest("hex"),
      },
      { id: "python", install: `pip install ${publicUrl}/packages/${wheel}` },
    ],
  });

  const got = await fetch(`${baseUrl}/packages/${sdk}`);
  expect(await got.text()).toBe(`bytes of ${sdk}`);
  expect(Object.fromEntries(got.headers)).toMatchObject({
    "content-type": "application/gzip",
    "cache-control": "public, max-age=300",
    "x-content-type-options": "nosniff",
  });
  const etag = got.headers.get("etag") ?? "";
  const headers = { "if-none-match": etag, "cache-control": "max-age=0" };
  const again = await fetch(`${baseUrl}/packages/${sdk}`, { headers });
  expect(again.status).toBe(304);
  // Of an earlier release, kept by the operator for lock files that name it.
  expect((await fetch(`${baseUrl}/packages/zoetrope-sdk-0.0.9.tgz`)).status).toBe(200);
  for (const name of [
    "notes.txt",
    "..%2Fsecret-0.tgz",
    "%2e%2e%2fsecret-0.tgz",
    "zoetrope-9.tgz",
  ]) {
    const refused = await fetch(`${baseUrl}/packages/${name}`);
    expect(refused.status, name).toBe(404);
    expect(((await refused.json()) as { message: string }).message).toContain("/api/v1/packages");
  }
});
