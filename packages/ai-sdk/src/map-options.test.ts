import type {
  ImageModelV4CallOptions,
  SharedV4Warning,
  Experimental_VideoModelV4CallOptions as VideoOptions,
} from "@ai-sdk/provider";
import { expect, test } from "vitest";
import { isPrivateUrl } from "./is-private-url.ts";
import { mapImage } from "./map-image.ts";
import { mapVideo } from "./map-video.ts";

const png = { type: "url", url: "https://example.com/a.png" } as const;
const mp4 = { type: "url", url: "https://example.com/a.mp4?x=1" } as const;
const wav = { type: "file", mediaType: "audio/wav", data: "AAAA" } as const;

function video(model: string, given: Partial<VideoOptions>) {
  const warnings: SharedV4Warning[] = [];
  const options = { n: 1, providerOptions: {}, ...given } as VideoOptions;
  const mapped = mapVideo(model, options, warnings);
  return { ...mapped, features: featuresOf(warnings) };
}

function image(model: string, given: Partial<ImageModelV4CallOptions>) {
  const warnings: SharedV4Warning[] = [];
  const options = { n: 1, providerOptions: {}, ...given } as ImageModelV4CallOptions;
  return { inputs: mapImage(model, options, warnings), features: featuresOf(warnings) };
}

function featuresOf(warnings: SharedV4Warning[]): string[] {
  return warnings.map((warning) => ("feature" in warning ? warning.feature : warning.type));
}

test.each([
  ["sd2", { aspectRatio: "16:9" }, { resolution: "1280x720" }, []],
  ["sd2", { aspectRatio: "21:9" }, { resolution: "1280x540" }, []],
  ["sd2", { aspectRatio: "3:2" }, { resolution: "960x720" }, ["aspectRatio"]],
  ["sd2", { aspectRatio: "adaptive" }, {}, []],
  ["sd2", { resolution: "1920x1080" }, { resolution: "1280x720", outputResolution: "1080p" }, []],
  ["sd2", { resolution: "1280x540" }, { resolution: "1280x540", outputResolution: "720p" }, []],
  [
    "sd2",
    { resolution: "3840x2160" },
    { resolution: "1280x720", outputResolution: "1080p" },
    ["resolution"],
  ],
  [
    "sd2-fast",
    { resolution: "1080x1920", aspectRatio: "1:1" },
    { resolution: "720x720", outputResolution: "720p" },
    ["resolution"],
  ],
  ["happyhorse", { aspectRatio: "9:16", duration: 3 }, { duration: "3s", ratio: "9:16" }, []],
  ["happyhorse", { aspectRatio: "1:1", image: png }, {}, ["aspectRatio"]],
  ["sd2", { duration: 4.6, seed: 0 }, { duration: "5s", seed: 0 }, ["duration"]],
  ["sd2", { generateAudio: false, fps: 24 }, { generateAudio: false }, ["fps"]],
  ["happyhorse", { generateAudio: true }, {}, ["generateAudio"]],
  [
    "newer-video",
    { aspectRatio: "2:1", duration: 4, generateAudio: true, seed: 1 },
    { duration: "4s", aspectRatio: "2:1", seed: 1, generateAudio: true },
    [],
  ],
  ["newer-video", { aspectRatio: "adaptive", resolution: "1280x720" }, {}, ["resolution"]],
] as [string, Partial<VideoOptions>, object, string[]][])(
  "%s with %o has the inputs %o and warns of %o",
  (model, given, inputs, features) => {
    expect(video(model, given)).toMatchObject({ features });
    expect(video(model, given).inputs).toEqual(inputs);
  },
);

test("frames are the first, or the first and the last; what a model does not take is a warning", () => {
  const first = { image: png, frameType: "first_frame" } as const;
  const last = { image: mp4, frameType: "last_frame" } as const;
  const both = { image: png, frameImages: [first, last] };
  expect(video("sd2", both)).toMatchObject({ images: [png, mp4], features: [] });
  expect(video("happyhorse", both)).toMatchObject({ images: [png], features: ["frameImages"] });
  const lastAlone = { images: [], features: ["frameImages"] };
  expect(video("sd2", { frameImages: [last] })).toMatchObject(lastAlone);
});

test("references go where their kind belongs, in the mode for them, with the aspect ratio it needs", () => {
  const inputReferences = [png, mp4, wav];
  expect(video("sd2", { inputReferences })).toMatchObject({
    images: [png],
    videos: [mp4],
    audios: [wav],
    features: ["aspectRatio"],
    inputs: { videoInputMode: "reference", resolution: "1280x720" },
  });
  expect(video("happyhorse", { inputReferences })).toMatchObject({
    images: [png],
    videos: [],
    audios: [],
    inputs: { videoWorkflowTab: "multi-reference" },
    features: ["inputReferences", "inputReferences"],
  });
  expect(video("newer-video", { inputReferences })).toMatchObject({
    images: [png],
    videos: [mp4],
    audios: [wav],
    inputs: {},
    features: ["inputReferences"],
  });
  const audioAlone = video("sd2", { inputReferences: [wav] });
  expect(audioAlone).toMatchObject({ audios: [], mode: {}, features: ["inputReferences"] });
  const withFrame = video("sd2", { image: png, inputReferences, aspectRatio: "1:1" });
  expect(withFrame).toMatchObject({ images: [png, png], features: ["image"] });
});

test.each([
  ["image-plus-2", { aspectRatio: "3:2" }, { aspectRatio: "3:2" }, []],
  ["image-pro-2", { aspectRatio: "3:2" }, { aspectRatio: "4:3" }, ["aspectRatio"]],
  ["image-pro-2", { size: "1024x1024" }, { aspectRatio: "1:1", resolution: "1k" }, []],
  ["image-pro-2", { size: "1920x1080" }, { aspectRatio: "16:9", resolution: "2k" }, ["size"]],
  ["image-pro-2", { size: "3840x2160" }, { aspectRatio: "16:9", resolution: "4k" }, ["size"]],
  ["image-pro-2", { seed: 1, mask: png }, {}, ["seed", "mask"]],
  ["newer-image", { aspectRatio: "2:1", seed: 1 }, { aspectRatio: "2:1", seed: 1 }, []],
  ["newer-image", { size: "1024x1024" }, {}, ["size"]],
] as [string, Partial<ImageModelV4CallOptions>, object, string[]][])(
  "%s with %o has the inputs %o and warns of %o",
  (model, given, inputs, features) => {
    expect(image(model, given)).toEqual({ inputs, features });
  },
);

test("a link is private where the AI SDK would refuse to fetch it", () => {
  const hosts = [
    "127.0.0.1:80",
    "localhost",
    "10.1.2.3",
    "172.20.0.1",
    "[::1]",
    "media",
    "a.internal",
  ];
  for (const host of hosts) expect(isPrivateUrl(`http://${host}/a.mp4`), host).toBe(true);
  for (const host of ["media.example.com", "8.8.8.8", "172.32.0.1"])
    expect(isPrivateUrl(`https://${host}/a.mp4`), host).toBe(false);
});
