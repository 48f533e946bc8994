import { makeHalves, renderClip } from "@zoetrope/testkit/make-media.ts";
import { describe, expect, test } from "vitest";
import { main, settings } from "../src/client.ts";
import { storedAsset } from "../src/library.ts";

const url = "https://example.com/a.png";

test.for(["IMAGE", "VIDEO", "AUDIO"])(
  "§4.4 an upload of type %s is in review at once",
  async (type) => {
    const answer = await main.uploadAsset({ url, type, name: "a name" });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({
      assetId: expect.any(Number),
      upstreamAssetId: expect.stringMatching(/^asset-\d{8,}-[0-9A-Za-z]+$/),
      type,
      status: "PROCESSING",
      failReason: null,
      url,
      name: "a name",
      createdAt: expect.any(Number),
    });
    expect(Math.abs(Number(answer.body["createdAt"]) - Date.now())).toBeLessThan(600_000);
  },
);

test("§4.4 30 uploads at once are all accepted", async () => {
  const upload = () => main.uploadAsset({ url, type: "IMAGE" });
  const answers = await Promise.all(Array.from({ length: 30 }, upload));
  expect(answers.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([]);
});

test("§4.4 a name may be left out; two uploads of one URL are two assets", async () => {
  const one = await main.uploadAsset({ url, type: "IMAGE" });
  const two = await main.uploadAsset({ url, type: "IMAGE", name: null });
  expect([one.body["name"], two.body["name"]]).toEqual([null, null]);
  expect(one.body["assetId"]).not.toBe(two.body["assetId"]);
  expect(one.body["upstreamAssetId"]).not.toBe(two.body["upstreamAssetId"]);
});

test("§4.4 storageUrl is in the answer and the same for ever; url comes back exactly as submitted", async () => {
  const submitted = "HTTPS://Example.COM/./a b.png?x=%7e#part";
  const { status, body, text } = await main.uploadAsset({ url: submitted, type: "IMAGE" });
  expect(status, text).toBe(200);
  const expected = { url: submitted, storageUrl: expect.stringMatching(/^https?:/) };
  expect(body).toMatchObject(expected);
  const { storageUrl } = body;
  expect((await main.readAsset(Number(body["assetId"]))).body).toMatchObject({
    url: submitted,
    storageUrl,
  });
  const { items } = (await main.listAssets("?limit=1")).body as { items: object[] };
  expect(items[0]).toMatchObject({ url: submitted, storageUrl });
});

describe.runIf(settings.callsLoopback)("what is stored", () => {
  const video = (name: string, seconds: number) =>
    renderClip(name, ["-pix_fmt", "yuv420p"], 5, seconds);
  test.for<[what: string, type: string, make: () => Promise<Buffer>]>([
    ["an MP4 of 20 s", "VIDEO", () => video("long.mp4", 20)],
    ["a WebM", "VIDEO", () => video("clip.webm", 2)],
    ["a MOV", "VIDEO", () => video("clip.mov", 2)],
    ["an MP4 of a tenth of a second", "VIDEO", () => video("short.mp4", 0.2)],
    ["a BMP", "IMAGE", () => makeHalves(320, 300, "bmp")],
    ["an image of 40 px", "IMAGE", () => makeHalves(40, 40)],
    ["an image of 20 to 1", "IMAGE", () => makeHalves(2_000, 100)],
  ])(
    "%s is stored and not refused: what a model takes is checked where it is used",
    async ([, type, make]) => {
      const bytes = await make();
      const asset = await storedAsset(main, type, bytes);
      expect(asset).toMatchObject({ failReason: null, size: bytes.length });
    },
  );

  test.for<[what: string, type: string, make: () => Promise<Buffer>]>([
    ["text", "IMAGE", async () => Buffer.from("no image at all")],
    [
      "a video that is cut in the middle",
      "VIDEO",
      async () => (await video("cut.mp4", 2)).subarray(0, 4_000),
    ],
    ["an image that is called a video", "VIDEO", () => makeHalves(400, 400)],
    ["a GIF", "IMAGE", () => makeHalves(400, 400, "gif")],
  ])("%s fails with the reason", async ([, type, make]) => {
    const asset = await storedAsset(main, type, await make());
    expect(asset).toMatchObject({
      status: "FAILED",
      failReason: expect.stringMatching(/The file /),
    });
    expect(asset["previewUrl"]).toBeNull();
  });
});
