import { describe, expect, test } from "vitest";
import { apply, audio, image, planNamed, reference, uri, video } from "../../test/asset-facts.ts";
import { expectRefusal } from "../../test/refusal.ts";
import type { AssetFacts } from "./asset-rules.ts";

describe.each(["sd2", "sd2-fast"])("%s: the asset behind a video or audio", (model) => {
  const withClips = (assets: Record<string, AssetFacts>) => () =>
    apply(
      model,
      {
        ...reference,
        urls: ["https://example.com/0.png"],
        videoUrls: [uri("v0"), uri("v1")],
        audioUrls: ["https://example.com/0.mp3", uri("s1")],
      },
      assets,
    );
  const good = { v0: video(), v1: video(), s1: audio() };

  test("may be 15,000 ms long and not a millisecond more", () => {
    const longest = { durationMs: 15_000 };
    const tooLong = { durationMs: 15_001 };
    expect(
      withClips({ v0: video(longest), v1: video(longest), s1: audio(longest) })(),
    ).toMatchObject({
      videoSeconds: [15, 15],
    });
    const hint = "at most 15 s long, but is 15.001 s";
    expectRefusal(withClips({ ...good, v0: video(tooLong) }), "inputs.videoUrls[0]", hint);
    expectRefusal(withClips({ ...good, v1: video(tooLong) }), "inputs.videoUrls[1]", hint);
    expectRefusal(withClips({ ...good, s1: audio(tooLong) }), "inputs.audioUrls[1]", hint);
  });

  test("must be of its kind", () => {
    for (const wrong of [image(), audio()])
      expectRefusal(
        withClips({ ...good, v1: wrong }),
        "inputs.videoUrls[1]",
        `type VIDEO, but is ${wrong.type}`,
      );
    for (const wrong of [image(), video()])
      expectRefusal(
        withClips({ ...good, s1: wrong }),
        "inputs.audioUrls[1]",
        `type AUDIO, but is ${wrong.type}`,
      );
  });

  test("must have been reviewed and passed", () => {
    for (const status of ["NONE", "PROCESSING", "FAILED"] as const) {
      expectRefusal(withClips({ ...good, v0: video({ status }) }), "inputs.videoUrls[0]", "review");
      expectRefusal(withClips({ ...good, s1: audio({ status }) }), "inputs.audioUrls[1]", "review");
    }
  });

  test("must exist", () => {
    expectRefusal(withClips({}), "inputs.videoUrls[0]", "no such asset");
    expectRefusal(withClips({ v0: video() }), "inputs.videoUrls[1]", "no such asset");
    expectRefusal(withClips({ v0: video(), v1: video() }), "inputs.audioUrls[1]", "no such asset");
  });

  test("the seconds of the videos are filled in, each rounded up, in their order", () => {
    const inputs = { ...reference, videoUrls: [uri("c"), uri("a"), uri("b")] };
    const request = planNamed(model, inputs);
    const applied = apply(model, inputs, {
      a: video({ durationMs: 1 }),
      b: video({ durationMs: 3_000 }),
      c: video({ durationMs: 3_001 }),
    });
    expect(applied).toEqual({ ...request, videoSeconds: [4, 1, 3] });
    expect(request).toMatchObject({ videoSeconds: [] });
  });

  test("one video named twice counts twice", () => {
    const inputs = { ...reference, videoUrls: [uri("a"), uri("a")] };
    const a = video({ durationMs: 4_200 });
    expect(apply(model, inputs, { a })).toMatchObject({ videoSeconds: [5, 5] });
  });

  test("audio does not count among the videos' seconds", () => {
    const applied = withClips({ v0: video({ durationMs: 2_000 }), v1: video(), s1: audio() })();
    expect(applied).toMatchObject({ videoSeconds: [2, 5] });
  });
});

test("sd2: a reference video has a codec that the vendor decodes; one of which it is not known is taken", () => {
  const withCodec = (videoCodec: string | null) => () =>
    apply("sd2", { ...reference, videoUrls: [uri("v")] }, { v: video({ videoCodec }) });
  for (const taken of ["h264", "hevc", null]) expect(withCodec(taken)()).toBeDefined();
  for (const refused of ["prores", "dnxhd", "mpeg4", "mjpeg", "av1"])
    expectRefusal(withCodec(refused), "inputs.videoUrls[0]", "encoded as h264 or hevc");
});
