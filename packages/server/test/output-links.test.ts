import { createHash, randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTask } from "../src/generation/create-task.ts";
import { storeFile } from "../src/media/storage/objects.ts";
import { completeTask } from "../src/tasks/complete-task.ts";
import { openUploadBed, storageDrivers, type UploadBed } from "./harness/upload-bed.ts";

/** The rights of a reader who has the link of a finished video, from outside and with any driver. */
describe.each(storageDrivers)("links to media in %s", (driver) => {
  const isS3 = driver !== "a folder";
  const cleanUp = new AsyncDisposableStack();
  const bytes = randomBytes(300_000);
  let dir: string;
  let stack: UploadBed;
  beforeAll(async () => {
    dir = cleanUp.use(await makeScratch("links")).path;
    stack = cleanUp.use(await openUploadBed(driver));
  });
  afterAll(() => cleanUp.disposeAsync());

  function callApi(path: string, key: string, method = "GET") {
    return fetch(`${stack.apiUrl}/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${key}` },
    });
  }

  /** A task that is over, with these bytes as its video, and the link that its owner gets. */
  async function finished() {
    const { bed } = stack;
    const account = await bed.openAccount();
    const body = { model: "sd2", inputs: { prompt: "a heron lands" } };
    const { taskId } = await createTask(bed.ctx, account, body, null);
    const path = join(dir, "video");
    await writeFile(path, bytes);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const facts = { contentType: "video/mp4", sizeBytes: bytes.length, sha256 };
    const key = await storeFile(bed.ctx, path, "mp4", facts);
    const measured = { width: 64, height: 64, durationMs: 1_000 };
    await completeTask(bed.ctx, taskId, { key, ...facts, ...measured });
    const asked = await callApi(`jobs/queryTask?taskId=${taskId}`, account.key);
    const { output } = (await asked.json()) as { output: { url: string }[] };
    return { link: output[0]?.url ?? "", key, taskId, account };
  }

  /** Returns the address to which the link redirects, or the link itself. */
  async function follow(link: string): Promise<string> {
    const answer = await fetch(link, { redirect: "manual" });
    await answer.body?.cancel();
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.status).toBe(isS3 ? 302 : 200);
    return answer.headers.get("location") ?? link;
  }

  async function expectVideo(answer: Response, key: string) {
    expect(answer.headers.get("content-type")).toBe("video/mp4");
    const name = `zoetrope-${key.slice(0, 8)}.mp4`;
    expect(answer.headers.get("content-disposition")).toBe(`inline; filename="${name}"`);
    expect(answer.headers.get("cache-control")).toBe("private, max-age=3600, immutable");
    expect(answer.headers.get("accept-ranges")).toBe("bytes");
    return Buffer.from(await answer.arrayBuffer());
  }

  test("a page of any site may read the link, also that it is gone; no other address of the service", async () => {
    const { link, account } = await finished();
    const headers = { origin: "https://shop.example", range: "bytes=0-9" };
    const answer = await fetch(link, { headers, redirect: "manual" });
    await answer.body?.cancel();
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("access-control-expose-headers")).toContain("Content-Range");
    expect(answer.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    if (!isS3) expect(answer.headers.get("content-security-policy")).toContain("sandbox");
    const gone = await fetch(link.replace(/\w{8}\.mp4/, "00000000.mp4"), { headers });
    expect([gone.status, gone.headers.get("access-control-allow-origin")]).toEqual([404, "*"]);
    const other = await callApi("account/credits", account.key);
    expect(other.headers.get("access-control-allow-origin")).toBeNull();
  });

  test.each([
    ["?download", /^attachment; filename="zoetrope-[0-9a-f]{8}\.mp4"$/],
    ["?download=boat.mp4", /^attachment; filename="boat\.mp4"$/],
    ["?download=boat.html", /^attachment; filename="boat\.html\.mp4"$/],
    [
      "?download=%22%0d%0aset-cookie%3a%20a=1",
      /^attachment; filename="___set-cookie_ a_1\.mp4"; filename\*=UTF-8''%22%0D%0Aset-cookie%3A%20a%3D1\.mp4$/,
    ],
    [
      "?download=%E7%BA%B8%E8%88%B9",
      /^attachment; filename="__\.mp4"; filename\*=UTF-8''%E7%BA%B8%E8%88%B9\.mp4$/,
    ],
  ])("%s saves the video under a name that ends as its type does", async (query, expected) => {
    const { link } = await finished();
    const answer = await fetch(`${link}${query}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-disposition")).toMatch(expected);
    expect(answer.headers.get("content-type")).toBe("video/mp4");
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test("the whole video is displayed, of a fixed type", async () => {
    const { link, key } = await finished();
    const answer = await fetch(await follow(link));
    expect(answer.status).toBe(200);
    expect((await expectVideo(answer, key)).equals(bytes)).toBe(true);
  });

  test.each([
    ["bytes=0-99", 0, 100],
    ["bytes=100-100", 100, 101],
    ["bytes=299999-", 299_999, 300_000],
    ["bytes=-1000", 299_000, 300_000],
    ["bytes=299000-999999999", 299_000, 300_000],
  ])("%s is answered with just these bytes", async (range, from, to) => {
    const { link, key } = await finished();
    const answer = await fetch(link, { headers: { range } });
    expect(answer.status).toBe(206);
    expect(answer.headers.get("content-range")).toBe(`bytes ${from}-${to - 1}/300000`);
    expect(answer.headers.get("content-length")).toBe(String(to - from));
    expect(answer.headers.get("x-content-type-options")).toBe(isS3 ? null : "nosniff"); // the store's own
    expect((await expectVideo(answer, key)).equals(bytes.subarray(from, to))).toBe(true);
  });

  test("a range beyond the end is a 416", async () => {
    const { link } = await finished();
    const answer = await fetch(link, { headers: { range: "bytes=300000-300001" } });
    await answer.body?.cancel();
    expect(answer.status).toBe(416);
  });

  test("HEAD says what GET would send, and sends nothing", async () => {
    const { link, key } = await finished();
    const answer = await fetch(link, { method: "HEAD" });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-length")).toBe("300000");
    expect(await expectVideo(answer, key)).toHaveLength(0);
  });

  test("a link is dead once its owner deletes the media, also one that was taken before", async () => {
    const { link, taskId, account } = await finished();
    const taken = await follow(link);
    const before = await fetch(taken, { headers: { range: "bytes=0-99" } });
    expect(before.status).toBe(206);
    await before.body?.cancel();
    const deleted = await callApi(`jobs/media?taskId=${taskId}`, account.key, "DELETE");
    expect(await deleted.json()).toEqual({ deleted: 1 });
    const asked = await callApi(`jobs/queryTask?taskId=${taskId}`, account.key);
    const { output } = (await asked.json()) as { output: { expiresAt: number }[] };
    expect(output[0]?.expiresAt).toBeLessThanOrEqual(Date.now());
    const reads = [{}, { headers: { range: "bytes=0-99" } }];
    const again = [
      ...[...reads, { method: "HEAD" }].map((options) => [link, options] as const),
      ...reads.map((options) => [taken, options] as const),
    ];
    for (const [address, options] of again) {
      const answer = await fetch(address, options);
      await answer.body?.cancel();
      expect(answer.status).toBe(404);
    }
  });

  test("a key that is none, or that was never stored, is a 404", async () => {
    for (const key of [`${"0".repeat(40)}.mp4`, "x.mp4", "..%2f..%2fetc%2fpasswd"]) {
      const answer = await fetch(`${stack.apiUrl}/media/${key}`);
      expect(await answer.json()).toMatchObject({ code: "media_not_found" });
      expect(answer.status).toBe(404);
    }
  });
});
