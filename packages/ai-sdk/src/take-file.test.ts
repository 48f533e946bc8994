import { Zoetrope } from "@zoetrope/sdk";
import { expect, test } from "vitest";
import { takeVideo } from "./take-file.ts";

test("a call that is aborted does not end another one that takes the same video", async () => {
  const { promise: isOpen, resolve: open } = Promise.withResolvers<void>();
  const answer: typeof fetch = async () => {
    await isOpen;
    return Response.json({ assetId: 1, upstreamAssetId: "a-1", status: "ACTIVE" });
  };
  const baseUrl = "https://media.example.com";
  const client = new Zoetrope({ baseUrl, apiKey: "zoe_test_none", fetch: answer });
  const memory = new Map();
  const modelId = "sd2";
  const video = { type: "url", url: "https://example.com/a.mp4" } as const;
  const leaving = new AbortController();
  const first = takeVideo(client, memory, video, { modelId, signal: leaving.signal });
  const second = takeVideo(client, memory, video, { modelId, signal: undefined });
  leaving.abort(new Error("enough"));
  open();
  await expect(first).rejects.toThrow("enough");
  expect(await second).toBe("asset://a-1");
  expect(await takeVideo(client, memory, video, { modelId, signal: undefined })).toBe(
    "asset://a-1",
  );
  expect(memory.size).toBe(1);
});
