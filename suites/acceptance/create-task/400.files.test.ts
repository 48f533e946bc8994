import { makeHalves, makeTone, renderClip } from "@zoetrope/testkit/make-media.ts";
import { padPng } from "@zoetrope/testkit/pad-file.ts";
import { describe, expect, test } from "vitest";
import { main, settings } from "../src/client.ts";
import { expectInvalid } from "../src/expect-refusal.ts";
import { reviewedAsset, storedAsset } from "../src/library.ts";

const reference = { prompt: "a boat", videoInputMode: "reference", resolution: "1280x720" };
const megabyte = 1_048_576;
const png = (width: number, height: number) => makeHalves(width, height);
const quick = ["-preset", "ultrafast", "-pix_fmt", "yuv420p"];
const mp4 = (seconds: number) =>
  renderClip("a.mp4", ["-vf", "scale=854:480", ...quick], 25, seconds);

/** Requests with a file as their input, by the position of the file in them. */
const places = {
  reference: (uri: string) => ({ model: "sd2", inputs: { ...reference, urls: [uri] } }),
  video: (uri: string) => ({ model: "sd2", inputs: { ...reference, videoUrls: [uri] } }),
  happyhorse: (uri: string) => ({ model: "happyhorse", inputs: { urls: [uri] } }),
  edit: (uri: string) => ({ model: "image-plus-2", inputs: { prompt: "a boat", urls: [uri] } }),
} as const;

describe.runIf(settings.hasSandbox && settings.callsLoopback)("files of the library", () => {
  for (const [rule, place, makeGood, makeBad, message] of [
    [
      "400 px on the shortest side",
      "reference",
      () => png(400, 500),
      () => png(399, 500),
      "400 px",
    ],
    ["15 s of a reference video", "video", () => mp4(15), () => mp4(15.08), "15 s"],
    [
      "300 px on the shortest side",
      "happyhorse",
      () => png(300, 400),
      () => png(299, 400),
      "300 px",
    ],
    ["2.5:1", "happyhorse", () => png(1_000, 400), () => png(1_002, 400), "2.5:1"],
    ["1:2.5", "happyhorse", () => png(400, 1_000), () => png(400, 1_002), "1:2.5"],
    [
      "10 MB",
      "happyhorse",
      async () => padPng(await png(400, 400), 10 * megabyte),
      async () => padPng(await png(400, 400), 10 * megabyte + 1),
      "10 MB",
    ],
    ["BMP", "happyhorse", () => makeHalves(400, 400, "bmp"), null, ""],
    ["256 px on the shortest side", "edit", () => png(256, 256), () => png(255, 256), "256 px"],
    ["3:1", "edit", () => png(900, 300), () => png(902, 300), "3:1"],
    [
      "JPEG, PNG, WEBP",
      "edit",
      () => makeHalves(400, 400, "libwebp"),
      () => makeHalves(400, 400, "bmp"),
      "webp",
    ],
    [
      "50 MB",
      "edit",
      async () => padPng(await png(400, 400), 50 * megabyte),
      async () => padPng(await png(400, 400), 50 * megabyte + 1),
      "50 MB",
    ],
  ] as const)
    test(`§4.1 ${place}: a file on this side of "${rule}" is taken, one beyond is named and refused`, async () => {
      const isReviewed = place === "reference" || place === "video";
      const type = place === "video" ? "VIDEO" : "IMAGE";
      const take = async (bytes: Buffer) =>
        isReviewed
          ? (await reviewedAsset(main, type, bytes)).uri
          : (await storedAsset(main, type, bytes)).uri;
      const good = await main.quote(places[place](await take(await makeGood())));
      expect(good.status, good.text).toBe(200);
      if (makeBad === null) return;
      const bad = await main.createTask(places[place](await take(await makeBad())));
      expectInvalid(bad, place === "video" ? "inputs.videoUrls[0]" : "inputs.urls[0]");
      expect(bad.body["message"]).toContain(message);
    });

  test("§4.1 reference audio is 15 s long at most", async () => {
    const image = (await reviewedAsset(main, "IMAGE", await png(400, 400))).uri;
    const bodyOf = async (seconds: number) => {
      const bytes = await makeTone(440, seconds, "wav");
      const { uri } = await reviewedAsset(main, "AUDIO", bytes);
      return { model: "sd2", inputs: { ...reference, urls: [image], audioUrls: [uri] } };
    };
    const good = await main.quote(await bodyOf(15));
    expect(good.status, good.text).toBe(200);
    expectInvalid(await main.createTask(await bodyOf(15.05)), "inputs.audioUrls[0]");
  });

  test("§4.1 an asset of another type than its place is named and refused", async () => {
    const { uri } = await reviewedAsset(main, "IMAGE", await png(400, 400));
    expectInvalid(await main.createTask(places.video(uri)), "inputs.videoUrls[0]");
  });
});
