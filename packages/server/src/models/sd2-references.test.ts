import { describe, expect, test } from "vitest";
import { expectRefusal } from "../../test/refusal.ts";
import { models } from "./catalogue.ts";
import { planRequest, requireModel } from "./plan-request.ts";

const planNamed = (model: string, inputs: object) =>
  planRequest(requireModel(models, model), inputs);

const numbered = (count: number, of: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => of(at));
const images = (count: number) => numbered(count, (at) => `https://example.com/${at}.png`);
const videos = (count: number) => numbered(count, (at) => `asset://asset-20260101-v${at}`);
const audios = (count: number) => numbered(count, (at) => `https://example.com/${at}.mp3`);

describe.each(["sd2", "sd2-fast"])("%s", (model) => {
  const plan = (inputs: object) => planNamed(model, inputs);
  const reference = (inputs: object) =>
    plan({ videoInputMode: "reference", resolution: "1280x720", ...inputs });

  describe("videos and audio", () => {
    test("are refused in every mode but reference", () => {
      for (const inputs of [
        { prompt: "a fox" },
        { urls: images(1) },
        { urls: images(2) },
        { urls: images(2), videoInputMode: "keyframe" },
      ]) {
        const hint = "only in reference (videoInputMode 'reference')";
        expectRefusal(() => plan({ ...inputs, videoUrls: videos(1) }), "inputs.videoUrls", hint);
        expectRefusal(() => plan({ ...inputs, audioUrls: audios(1) }), "inputs.audioUrls", hint);
      }
    });

    test("a video must be an asset", () => {
      for (const url of ["https://example.com/a.mp4", "http://example.com/a.mp4", "asset://7"])
        expectRefusal(
          () => reference({ videoUrls: [...videos(1), url] }),
          "inputs.videoUrls[1]",
          "asset://<upstreamAssetId> of an uploaded video",
        );
    });

    test("audio may come from anywhere", () => {
      for (const url of [...audios(1), "http://example.com/a.mp3", "asset://asset-20260101-s"])
        expect(reference({ urls: images(1), audioUrls: [url] })).toMatchObject({
          mode: "reference",
        });
      expectRefusal(
        () => reference({ urls: images(1), audioUrls: [...audios(2), "ftp://example.com/a.mp3"] }),
        "inputs.audioUrls[2]",
      );
    });

    test("audio is never the only reference", () => {
      for (const count of [1, 3])
        expectRefusal(
          () => reference({ prompt: "a fox", urls: [], audioUrls: audios(count) }),
          "inputs.audioUrls",
          "add at least one image (urls) or video (videoUrls)",
        );
      expect(reference({ videoUrls: videos(1), audioUrls: audios(1) }).mode).toBe("reference");
      expect(reference({ urls: images(1), audioUrls: audios(1) }).mode).toBe("reference");
    });

    test("a reference video needs an image or a video", () => {
      for (const inputs of [{}, { urls: [] }, { urls: [], videoUrls: [], audioUrls: [] }])
        expectRefusal(
          () => reference({ prompt: "a fox", ...inputs }),
          "inputs.urls",
          "at least one image (urls) or video (videoUrls)",
        );
      expect(reference({ urls: images(1) }).mode).toBe("reference");
      expect(reference({ videoUrls: videos(1) }).mode).toBe("reference");
    });
  });

  describe("how many references", () => {
    test("9 images are taken, 10 are refused", () => {
      expect(reference({ urls: images(9) }).images).toHaveLength(9);
      expectRefusal(() => reference({ urls: images(10) }), "inputs.urls", "at most 9 images");
    });

    test("3 videos are taken, 4 are refused", () => {
      expect(reference({ videoUrls: videos(3) })).toMatchObject({
        videos: videos(3).map((url) => ({ asset: url.slice("asset://".length) })),
      });
      expectRefusal(() => reference({ videoUrls: videos(4) }), "inputs.videoUrls", "at most 3");
    });

    test("3 audio files are taken, 4 are refused", () => {
      const urls = images(1);
      expect(reference({ urls, audioUrls: audios(3) })).toMatchObject({
        audios: audios(3).map((url) => ({ url })),
      });
      expectRefusal(
        () => reference({ urls, audioUrls: audios(4) }),
        "inputs.audioUrls",
        "at most 3",
      );
    });

    test.each([
      [9, 3, 0],
      [9, 0, 3],
      [8, 1, 3],
      [6, 3, 3],
    ])(
      "12 files in all are taken, one more is refused: %d images, %d videos, %d audio files",
      (i, v, a) => {
        const given = { urls: images(i), videoUrls: videos(v), audioUrls: audios(a) };
        expect(reference(given).mode).toBe("reference");
        const more = a < 3 ? { audioUrls: audios(a + 1) } : { videoUrls: videos(v + 1) };
        const hint = "at most 12 files in total, but there are 13";
        if (v < 3 || a < 3)
          expectRefusal(() => reference({ ...given, ...more }), "inputs.audioUrls", hint);
        if (i < 9)
          expectRefusal(
            () => reference({ ...given, urls: images(i + 1) }),
            "inputs.audioUrls",
            hint,
          );
      },
    );

    test("the limits of each kind together are more than 12 and refused", () => {
      expectRefusal(
        () => reference({ urls: images(9), videoUrls: videos(3), audioUrls: audios(3) }),
        "inputs.audioUrls",
        "but there are 15",
      );
    });
  });
});
