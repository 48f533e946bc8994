import { type AssetFacts, applyFiles } from "../src/models/asset-rules.ts";
import { models } from "../src/models/catalogue.ts";
import { planRequest, requireModel } from "../src/models/plan-request.ts";

export const planNamed = (model: string, inputs: object) =>
  planRequest(requireModel(models, model), inputs);

const facts: Record<AssetFacts["type"], AssetFacts> = {
  IMAGE: {
    type: "IMAGE",
    status: "ACTIVE",
    contentType: "image/png",
    sizeBytes: 1_000_000,
    width: 1_000,
    height: 1_000,
    durationMs: null,
  },
  VIDEO: {
    type: "VIDEO",
    status: "ACTIVE",
    contentType: "video/mp4",
    sizeBytes: 1_000_000,
    width: 1_280,
    height: 720,
    durationMs: 5_000,
  },
  AUDIO: {
    type: "AUDIO",
    status: "ACTIVE",
    contentType: "audio/mpeg",
    sizeBytes: 1_000_000,
    width: null,
    height: null,
    durationMs: 5_000,
  },
};
export const image = (changes: Partial<AssetFacts> = {}) => ({ ...facts.IMAGE, ...changes });
export const video = (changes: Partial<AssetFacts> = {}) => ({ ...facts.VIDEO, ...changes });
export const audio = (changes: Partial<AssetFacts> = {}) => ({ ...facts.AUDIO, ...changes });

export const uri = (name: string) => `asset://asset-20260101-${name}`;
export const apply = (model: string, inputs: object, assets: Record<string, AssetFacts>) =>
  applyFiles(requireModel(models, model), planNamed(model, inputs), {
    assets: new Map(
      Object.entries(assets).map(([name, known]) => [`asset-20260101-${name}`, known]),
    ),
    outputs: new Map(),
  });

export const reference = { videoInputMode: "reference", resolution: "1280x720" };
