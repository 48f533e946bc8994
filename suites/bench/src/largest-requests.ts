import type { AssetFacts } from "@zoetrope/server/models/asset-rules.ts";

/** The api reads no larger body. */
const bodyBytesMax = 256 * 1024;
const urlCharactersMax = 4_096;

const longUrl = (n: number) => `https://example.com/${n}/`.padEnd(urlCharactersMax, "x");
const urls = (count: number) => Array.from({ length: count }, (_, n) => longUrl(n));
const assetId = (n: number) => `asset-20260101000000-${"v".repeat(39)}${n}`;

const measured = { status: "ACTIVE", contentType: "video/mp4", sizeBytes: 50_000_000 } as const;
const clip = { type: "VIDEO", ...measured, width: 1920, height: 1080, durationMs: 14_999 } as const;
export const assets: ReadonlyMap<string, AssetFacts> = new Map(
  [0, 1, 2].map((n) => [assetId(n), clip]),
);

export interface Body {
  model: string;
  inputs: Record<string, unknown>;
  callBackUrl: string;
  maxCredits: number;
}

/** The largest body that each model accepts: as many files as it takes, long addresses, a long prompt. */
export const largestBodies: Body[] = [
  ...["sd2", "sd2-fast"].map((model) =>
    fill(model, {
      urls: urls(9),
      videoUrls: [0, 1, 2].map((n) => `asset://${assetId(n)}`),
      videoInputMode: "reference",
      resolution: "1280x720",
      duration: "15s",
      upscaleResolution: "4k",
      seed: 2_147_483_647,
      generateAudio: false,
    }),
  ),
  body("happyhorse", {
    prompt: "木a".repeat(1_666),
    urls: urls(9),
    videoWorkflowTab: "multi-reference",
    duration: "15s",
    outputResolution: "1080p",
    upscaleResolution: "4k",
    ratio: "16:9",
    seed: 2_147_483_647,
  }),
  fill("image-pro-2", {
    urls: urls(10),
    quality: "high",
    resolution: "4k",
    aspectRatio: "16:9",
    outputFormat: "webp",
  }),
  fill("image-plus-2", { urls: urls(10), resolution: "4k", aspectRatio: "21:9" }),
];

function body(model: string, inputs: Record<string, unknown>): Body {
  return { model, inputs, callBackUrl: longUrl(0), maxCredits: 1_000_000 };
}

/** Has the prompt take up what the body has room for. */
function fill(model: string, inputs: Record<string, unknown>): Body {
  const empty = body(model, { prompt: "", ...inputs });
  const room = bodyBytesMax - Buffer.byteLength(JSON.stringify(empty));
  return body(model, { ...inputs, prompt: "木".repeat(Math.floor(room / 3)) });
}
