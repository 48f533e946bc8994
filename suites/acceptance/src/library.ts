import type { Client } from "@zoetrope/testkit/api-client.ts";
import { makeVideo } from "@zoetrope/testkit/make-media.ts";
import { controlSandbox } from "@zoetrope/testkit/sandbox-control.ts";
import { serveFile } from "@zoetrope/testkit/serve-files.ts";
import { expect } from "vitest";
import { settings, waitFor } from "./client.ts";

/** Uploads a file from an address of this machine and waits for its review; gives its `asset://`. */
export async function reviewedAsset(
  client: Client,
  type: "IMAGE" | "VIDEO" | "AUDIO",
  bytes: Buffer,
): Promise<{ uri: string; asset: Record<string, unknown> }> {
  await using file = await serveFile(bytes);
  const { body: uploaded } = await client.uploadAsset({ url: file.url, type });
  let asset = uploaded;
  await waitFor("the asset is reviewed", async () => {
    asset = (await client.readAsset(Number(uploaded["assetId"]))).body;
    return asset["status"] !== "PROCESSING";
  });
  expect(asset, String(asset["failReason"])).toMatchObject({ status: "ACTIVE" });
  return { uri: `asset://${asset["upstreamAssetId"]}`, asset };
}

/** Uploads a file from an address of this machine and waits until its copy is stored, or cannot be. */
export async function storedAsset(client: Client, type: string, bytes: Buffer) {
  await using file = await serveFile(bytes);
  const { body: uploaded } = await client.uploadAsset({ url: file.url, type });
  let asset = uploaded;
  await waitFor("the copy is stored", async () => {
    asset = (await client.readAsset(Number(uploaded["assetId"]))).body;
    return asset["size"] !== null || asset["status"] === "FAILED";
  });
  return { ...asset, uri: `asset://${asset["upstreamAssetId"]}` } as Record<string, unknown> & {
    uri: string;
  };
}

/** Sets what the vendor's library does with the next asset that is registered there. */
export async function scriptReview(fault: string): Promise<void> {
  if (settings.sandbox === null) throw new Error("there is no sandbox to script");
  await controlSandbox(settings.sandbox).injectFault("ark-assets", fault);
}

let clip: Promise<Buffer> | undefined;

/** A video of 2.2 s, which count as 3, that a review of references takes; made once. */
export function referenceClip(): Promise<Buffer> {
  clip ??= makeVideo({ size: "854x480", seconds: 2.2, rate: 24 });
  return clip;
}
