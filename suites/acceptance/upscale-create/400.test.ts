import { expect, test } from "vitest";
import { main, other, settings, waitFor } from "../src/client.ts";
import { expectInvalid, expectRefusal } from "../src/expect-refusal.ts";
import { nowhere } from "../src/upscale.ts";

const body = { source: nowhere, targetResolution: "1080p" };
const from = (source: unknown) => ({ ...body, source });
const { url } = nowhere;

for (const [rule, wrong, param] of [
  ["source is required", { targetResolution: "1080p" }, "source"],
  ["source is required, and null is nothing", from(null), "source"],
  ["targetResolution is required", { source: nowhere }, "targetResolution"],
  ...["720p", "4K", "8k", "", 1080, null].map(
    (targetResolution) =>
      [
        `targetResolution is 1080p, 2k or 4k, not ${JSON.stringify(targetResolution)}`,
        { ...body, targetResolution },
        "targetResolution",
      ] as const,
  ),
  ["callBackUrl is a URL", { ...body, callBackUrl: "hooks" }, "callBackUrl"],
  ["callBackUrl is public", { ...body, callBackUrl: "http://10.0.0.1/hook" }, "callBackUrl"],
  ["there is no model here", { ...body, model: "sd2" }, "model"],
] as const)
  test(`§4.7 ${rule}: a 400 that names ${param}`, async () => {
    expectInvalid(await main.createUpscale(wrong), param);
  });

for (const [rule, wrong, param] of [
  ["source is an object", url, "source"],
  ["source is no list", [], "source"],
  ["source is no number", 7, "source"],
  ["source.type is required", { url }, "source.type"],
  ["source.type is url or uploadId", { type: "file", url }, "source.type"],
  ["source.url is required when type is url", { type: "url" }, "source.url"],
  ["source.url is no number", { type: "url", url: 7 }, "source.url"],
  ["source.url is no object", { type: "url", url: { href: url } }, "source.url"],
  ["source.url is null", { type: "url", url: null }, "source.url"],
  ["source.url is too long", { type: "url", url: url + "a".repeat(5_000) }, "source.url"],
  ["source.storageUrl is required", { type: "uploadId" }, "source.storageUrl"],
  ["source.storageUrl is no list", { type: "uploadId", storageUrl: [] }, "source.storageUrl"],
  ["storageUrl belongs to uploadId", { type: "url", url, storageUrl: url }, "source.storageUrl"],
] as const)
  test(`§4.7 a malformed source is INVALID_URL and names ${param}: ${rule}`, async () => {
    const answer = await main.createUpscale(from(wrong));
    expectRefusal(answer, { status: 400, code: "INVALID_URL", param });
  });

for (const bad of [
  "",
  "video.mp4",
  "http://example.com/video.mp4",
  "ftp://example.com/video.mp4",
  "file:///etc/passwd",
  "https://10.0.0.1/video.mp4",
  "https://192.168.1.1/video.mp4",
  "https://172.16.0.1/video.mp4",
  "https://169.254.169.254/latest",
  "https://[fd00::1]/video.mp4",
  "https://0xa000001/video.mp4",
  "https://videos.internal/video.mp4",
  "https://user:password@example.com/video.mp4",
])
  test(`§4.7 source.url must be https and public: ${JSON.stringify(bad)} is INVALID_URL`, async () => {
    const answer = await main.createUpscale(from({ type: "url", url: bad }));
    expectRefusal(answer, { status: 400, code: "INVALID_URL", param: "source.url" });
  });

test("§4.7 source.storageUrl must be one that the upload endpoint returned", async () => {
  const answer = await main.createUpscale(from({ type: "uploadId", storageUrl: url }));
  expectRefusal(answer, { status: 400, code: "INVALID_URL", param: "source.storageUrl" });
});

test.runIf(settings.videoUrl !== null)(
  "§4.7 the storage URL of another account's asset is refused like one that does not exist",
  async () => {
    const { body: asset } = await main.uploadAsset({ url: settings.videoUrl, type: "VIDEO" });
    let storageUrl = "";
    await waitFor("the copy is stored", async () => {
      const { body: now } = await main.readAsset(Number(asset["assetId"]));
      storageUrl = String(now["storageUrl"] ?? "");
      return storageUrl !== "";
    });
    const missing = storageUrl.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    const [theirs, unknown] = await Promise.all(
      [storageUrl, missing].map((one) =>
        other.createUpscale(from({ type: "uploadId", storageUrl: one })),
      ),
    );
    const refusal = { status: 400, code: "INVALID_URL", param: "source.storageUrl" };
    if (theirs === undefined || unknown === undefined) throw new Error("unreachable");
    expectRefusal(theirs, refusal);
    expectRefusal(unknown, refusal);
    expect(theirs.body["message"]).toBe(unknown.body["message"]);
  },
);

test("§7 a refused upscale leaves the balance unchanged", async () => {
  const before = await other.idle();
  expectInvalid(await other.createUpscale({ ...body, targetResolution: "8k" }), "targetResolution");
  expect(await other.balance()).toEqual(before);
});
