import type { Inputs } from "@zoetrope/testkit/api-client.ts";
import { audios, images, unknownAssets } from "./examples.ts";

/** Inputs that a model refuses, and the one that the 400 has to name. */
export interface RefusedInputs {
  rule: string;
  model: string;
  inputs: Inputs;
  param: string;
}

type Rule = readonly [rule: string, inputs: Inputs, param: string];

const prompt = "A paper boat";
const video = { prompt };
const keyframe = { prompt, videoInputMode: "keyframe" };
const reference = { prompt, videoInputMode: "reference", resolution: "1280x720" };

const values = (rule: string, param: string, refused: readonly unknown[], base: Inputs): Rule[] =>
  refused.map((value) => [
    `${rule}: ${JSON.stringify(value)}`,
    { ...base, [param]: value },
    `inputs.${param}`,
  ]);

const seedance: readonly Rule[] = [
  ["text-to-video requires a prompt", {}, "inputs.prompt"],
  ["a prompt of white space is no prompt", { prompt: " \n\t" }, "inputs.prompt"],
  ["urls: [] is text-to-video and requires a prompt", { urls: [] }, "inputs.prompt"],
  ["prompt is a string", { prompt: 7 }, "inputs.prompt"],
  ["urls is a list", { ...video, urls: images(1)[0] }, "inputs.urls"],
  ["the items of urls are strings", { ...video, urls: [7] }, "inputs.urls[0]"],
  ["image-to-video takes exactly 1 image: 3 are too many", { urls: images(3) }, "inputs.urls"],
  ["keyframe takes exactly two images: none", keyframe, "inputs.urls"],
  ["keyframe takes exactly two images: one", { ...keyframe, urls: images(1) }, "inputs.urls"],
  ["keyframe takes exactly two images: three", { ...keyframe, urls: images(3) }, "inputs.urls"],
  [
    "urls are HTTP URLs or asset://: an ftp URL",
    { urls: ["ftp://example.com/a.png"] },
    "inputs.urls[0]",
  ],
  [
    "urls are HTTP URLs or asset://: the second of two is no URL",
    { urls: [...images(1), "image.png"] },
    "inputs.urls[1]",
  ],
  ["an asset:// that does not exist", { urls: unknownAssets(1) }, "inputs.urls[0]"],
  [
    "an asset:// that does not exist, as the third reference",
    { ...reference, urls: [...images(2), ...unknownAssets(1)] },
    "inputs.urls[2]",
  ],
  [
    "reference requires resolution",
    { prompt, videoInputMode: "reference", urls: images(1) },
    "inputs.resolution",
  ],
  ["reference needs at least one image or video", reference, "inputs.urls"],
  ["reference takes max 9 images: 10", { ...reference, urls: images(10) }, "inputs.urls"],
  [
    "reference takes max 3 videos: 4",
    { ...reference, videoUrls: unknownAssets(4) },
    "inputs.videoUrls",
  ],
  [
    "reference takes max 3 audio files: 4",
    { ...reference, urls: images(1), audioUrls: audios(4) },
    "inputs.audioUrls",
  ],
  [
    "external URLs are rejected in videoUrls",
    { ...reference, videoUrls: ["https://example.com/a.mp4"] },
    "inputs.videoUrls[0]",
  ],
  [
    "an asset:// that does not exist in videoUrls",
    { ...reference, urls: images(1), videoUrls: unknownAssets(1) },
    "inputs.videoUrls[0]",
  ],
  [
    "an asset:// that does not exist in audioUrls",
    { ...reference, urls: images(1), audioUrls: unknownAssets(1) },
    "inputs.audioUrls[0]",
  ],
  [
    "audio cannot be the only reference",
    { ...reference, audioUrls: audios(1) },
    "inputs.audioUrls",
  ],
  [
    "videoUrls is for reference mode only: text-to-video",
    { ...video, videoUrls: unknownAssets(1) },
    "inputs.videoUrls",
  ],
  [
    "videoUrls is for reference mode only: keyframe",
    { ...keyframe, urls: images(2), videoUrls: unknownAssets(1) },
    "inputs.videoUrls",
  ],
  [
    "audioUrls is for reference mode only: text-to-video",
    { ...video, audioUrls: audios(1) },
    "inputs.audioUrls",
  ],
  [
    "audioUrls is for reference mode only: image-to-video",
    { urls: images(1), audioUrls: audios(1) },
    "inputs.audioUrls",
  ],
  ...values("videoInputMode is keyframe or reference", "videoInputMode", ["multi", 1], video),
  ...values(
    "duration is 4s to 15s",
    "duration",
    ["3s", "16s", "0s", "-5s", "4.5s", "5sec", "s", "", 5.5],
    video,
  ),
  ...values("resolution is one of six", "resolution", ["1920x1080", "16:9", "720p", ""], video),
  ...values("outputResolution is 720p or 1080p", "outputResolution", ["480p", "2k", "4k"], video),
  ...values("upscaleResolution is 1080p, 2k or 4k", "upscaleResolution", ["720p", "8k"], video),
  ...values(
    "seed is -1 or 0 to 2147483647",
    "seed",
    [-2, 2_147_483_648, 1.5, "7", Number.MAX_SAFE_INTEGER],
    video,
  ),
  ...values("generateAudio is a boolean", "generateAudio", ["true", 1], video),
];

const happyhorse: readonly Rule[] = [
  ["text-to-video requires a prompt", {}, "inputs.prompt"],
  ["a prompt of white space is no prompt", { prompt: "  " }, "inputs.prompt"],
  [
    "reference-to-video requires a prompt",
    { urls: images(1), videoWorkflowTab: "multi-reference" },
    "inputs.prompt",
  ],
  ["image-to-video takes exactly 1 image: 2", { ...video, urls: images(2) }, "inputs.urls"],
  [
    "multi-reference needs 1+ urls: none",
    { ...video, videoWorkflowTab: "multi-reference" },
    "inputs.urls",
  ],
  [
    "reference-to-video takes 1-9 urls: 10",
    { ...video, videoWorkflowTab: "multi-reference", urls: images(10) },
    "inputs.urls",
  ],
  [
    "urls are public HTTPS URLs: an http one",
    { ...video, urls: ["http://example.com/a.png"] },
    "inputs.urls[0]",
  ],
  ["an asset:// that does not exist", { urls: unknownAssets(1) }, "inputs.urls[0]"],
  ...values("videoWorkflowTab is multi-reference", "videoWorkflowTab", ["reference"], video),
  ...values("duration is 3 to 15", "duration", ["2", "16", "2s", "4.5", "", 5.5], video),
  ...values("outputResolution is 720p or 1080p", "outputResolution", ["480p", "2k"], video),
  ...values("ratio is one of five", "ratio", ["21:9", "1280x720", "3:2"], video),
  ...values("seed is 0 to 2147483647", "seed", [-1, 2_147_483_648, 0.5, "7"], video),
  ...values("there is no reference video", "videoUrls", [unknownAssets(1)], video),
  ...values("there is no reference audio", "audioUrls", [audios(1)], video),
  ...values("there is no audio option", "generateAudio", [true, false], video),
  ...values("upscaleResolution is 1080p, 2k or 4k", "upscaleResolution", ["720p", "8k"], video),
];

const nativeUpscaled: Rule = [
  "upscaleResolution must be higher than outputResolution",
  { ...video, outputResolution: "1080p", upscaleResolution: "1080p" },
  "inputs.upscaleResolution",
];

const squareUpscaled: Rule = [
  "upscaleResolution must upscale what is rendered: a square of 1080p is 1440x1440, as 2k is",
  {
    ...video,
    resolution: "720x720",
    outputResolution: "1080p",
    upscaleResolution: "2k",
  },
  "inputs.upscaleResolution",
];

const image: readonly Rule[] = [
  ["prompt is required", {}, "inputs.prompt"],
  ["prompt is required in edit mode", { urls: images(1) }, "inputs.prompt"],
  ["a prompt of white space is no prompt", { prompt: "  " }, "inputs.prompt"],
  ["1-10 reference images: 11", { ...video, urls: images(11) }, "inputs.urls"],
  [
    "urls are public HTTPS URLs: an http one",
    { ...video, urls: [...images(1), "http://example.com/a.png"] },
    "inputs.urls[1]",
  ],
  ["an asset:// that does not exist", { ...video, urls: unknownAssets(1) }, "inputs.urls[0]"],
  ...values("resolution is 1k, 2k or 4k", "resolution", ["8k", "1K", "1024x1024"], video),
];

const imagePro: readonly Rule[] = [
  ...image,
  ...values("quality is medium or high", "quality", ["low", "standard"], video),
  ...values(
    "aspectRatio is one of five",
    "aspectRatio",
    ["3:2", "2:3", "4:5", "5:4", "21:9", "1:3"],
    video,
  ),
  ...values("outputFormat is png, jpeg or webp", "outputFormat", ["gif", "jpg"], video),
];

const imagePlus: readonly Rule[] = [
  ...image,
  ...values("quality is not accepted", "quality", ["medium", "high"], video),
  ...values("aspectRatio is one of ten", "aspectRatio", ["1:3", "9:21"], video),
  ...values("outputFormat is not accepted", "outputFormat", ["png", "jpeg", "webp"], video),
];

const rulesOf: Readonly<Record<string, readonly Rule[]>> = {
  sd2: [...seedance, nativeUpscaled, squareUpscaled],
  "sd2-fast": [
    ...seedance,
    ...values("only sd2 supports 1080p natively", "outputResolution", ["1080p"], video),
  ],
  happyhorse: [...happyhorse, nativeUpscaled],
  "image-pro-2": imagePro,
  "image-plus-2": imagePlus,
};

export const refusedInputs: readonly RefusedInputs[] = Object.entries(rulesOf).flatMap(
  ([model, rules]) => rules.map(([rule, inputs, param]) => ({ rule, model, inputs, param })),
);

/** Bodies that are refused whatever the model. */
export const refusedBodies: readonly { rule: string; body: unknown; param: string }[] = [
  { rule: "model is required", body: { inputs: video }, param: "model" },
  { rule: "model is a string", body: { model: 2, inputs: video }, param: "model" },
  { rule: "model is one of five", body: { model: "sd3", inputs: video }, param: "model" },
  { rule: "model is not empty", body: { model: "", inputs: video }, param: "model" },
  { rule: "inputs is required", body: { model: "sd2" }, param: "inputs" },
  ...[null, [], "prompt"].map((inputs) => ({
    rule: `inputs is an object, not ${JSON.stringify(inputs)}`,
    body: { model: "sd2", inputs },
    param: "inputs",
  })),
  ...[
    "hooks",
    7,
    "ftp://example.com/hook",
    "http://10.0.0.1/hook",
    "http://192.168.1.1/hook",
    "https://172.16.0.1/hook",
    "http://169.254.169.254/latest",
    "http://[fd00::1]/hook",
    "http://0xa000001/hook",
    "http://hooks.internal/hook",
    "https://example.com:25/hook",
  ].map((callBackUrl) => ({
    rule: `callBackUrl is http or https and public, not ${JSON.stringify(callBackUrl)}`,
    body: { model: "sd2", inputs: video, callBackUrl },
    param: "callBackUrl",
  })),
  ...[-1, 1.5, "30"].map((maxCredits) => ({
    rule: `maxCredits is a whole number, not ${JSON.stringify(maxCredits)}`,
    body: { model: "sd2", inputs: video, maxCredits },
    param: "maxCredits",
  })),
];

/** One file more than a reference may have: which list is named is left open. */
export const thirteenFiles: Inputs = {
  ...reference,
  urls: images(9),
  videoUrls: unknownAssets(1),
  audioUrls: audios(3),
};
