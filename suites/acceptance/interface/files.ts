import { makeHalves, makeTone, makeVideo, renderClip } from "@zoetrope/testkit/make-media.ts";
import { serve } from "@zoetrope/testkit/serve.ts";
import { serveFiles } from "@zoetrope/testkit/serve-files.ts";
import { expect } from "vitest";
import { type Caller, until } from "./client.ts";

let server: ReturnType<typeof serveFiles> | undefined;

/** An address of this machine behind which the file stands, for as long as the run takes. */
export async function offer(file: Buffer | string): Promise<string> {
  server ??= serveFiles();
  return (await server).offer(file);
}

/** Returns an address of this machine that responds with 404. */
export async function nowhere(): Promise<string> {
  return `${new URL(await offer(Buffer.alloc(0))).origin}/nothing`;
}

export type Type = "IMAGE" | "VIDEO" | "AUDIO";

/** Uploads a file and waits until its copy is there, or could not be made. */
export async function storedAsset(by: Caller, type: Type, file: Buffer) {
  const { assetId } = await by.upload({ url: await offer(file), type });
  return await until("the copy is stored", async () => {
    const { items } = await by.list("?limit=50");
    const asset = items.find((item: { assetId: number }) => item.assetId === assetId);
    if (asset === undefined) throw new Error(`asset ${assetId} is not among the newest 50`);
    return asset.size > 0 || asset.status === "FAILED" ? asset : undefined;
  });
}

/** Uploads a file and waits for the end of its review. */
export async function reviewedAsset(by: Caller, type: Type, file: Buffer) {
  const { assetId } = await by.upload({ url: await offer(file), type });
  return await until("the review is over", async () => {
    const asset = await by.asset(assetId);
    return asset.status === "PROCESSING" ? undefined : asset;
  });
}

/** The `asset://` of a file of the library that every model can use; uploaded once per caller. */
export async function reference(by: Caller, type: Type): Promise<string> {
  const uris = kept.get(by) ?? new Map<Type, Promise<string>>();
  kept.set(by, uris);
  const uri = uris.get(type) ?? makeReference(by, type);
  uris.set(type, uri);
  return await uri;
}
const kept = new Map<Caller, Map<Type, Promise<string>>>();

async function makeReference(by: Caller, type: Type): Promise<string> {
  const { upstreamAssetId } = await reviewedAsset(by, type, await samples[type]());
  return `asset://${upstreamAssetId}`;
}

/** Each within the limits of every model; the video has 2.2 s, which count as 3. */
export const samples: Readonly<Record<Type, () => Promise<Buffer>>> = {
  IMAGE: () => image(400, 400),
  VIDEO: () => makeVideo({ size: "854x480", seconds: 2.2, rate: 24 }),
  AUDIO: () => makeTone(440, 3, "mp3"),
};

export const image = (width: number, height: number, codec?: string) =>
  makeHalves(width, height, codec);

/** A video of so many seconds with few frames. */
export const video = (seconds: number, name = "video.mp4", rate = 24) =>
  renderClip(name, ["-vf", "scale=854:480", "-pix_fmt", "yuv420p"], rate, seconds);

export const tone = (seconds: number) => makeTone(440, seconds, "mp3");

/**
 * Every status of the list's filter has the assets of that status alone, and those that can be made here are
 * not empty. Some asset of the caller has to be ACTIVE.
 */
export async function expectStatuses(by: Caller): Promise<void> {
  await using silent = await serve(() => {}); // its file never comes
  const { assetId: open } = await by.upload({ url: silent.url, type: "IMAGE" });
  const failed = await reviewedAsset(by, "IMAGE", Buffer.from("not an image"));
  const seen = async (status: string): Promise<number[]> => {
    const { items } = await by.list(`?status=${status}&limit=50`);
    for (const item of items) expect(item.status).toBe(status);
    return items.map((item: { assetId: number }) => item.assetId);
  };
  expect(await seen("PROCESSING")).toContain(open);
  expect(await seen("FAILED")).toContain(failed.assetId);
  expect(await seen("ACTIVE")).not.toHaveLength(0);
  expect(await seen("NONE")).not.toContain(open);
}
