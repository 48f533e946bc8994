import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type FileServer, serveFiles } from "@zoetrope/testkit/serve-files.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { insertAsset } from "../../../test/harness/insert-asset.ts";
import { openTestBed, type TestBed } from "../../../test/harness/test-context.ts";
import type { AccountId } from "../../ids.ts";
import { probeMedia } from "../../media/probe/probe.ts";
import { measureFile } from "../../media/storage/fetch-object.ts";
import { storeFile } from "../../media/storage/objects.ts";
import { readObject } from "../../media/storage/read-object.ts";
import { findOpenTask } from "../../tasks/open-task-queries.ts";
import { imageRulesOf } from "../../vendors/dashscope/wire.ts";
import { createTask } from "../create-task.ts";
import { takeInputs } from "./take-inputs.ts";

const run = promisify(execFile);
const megabyte = 1024 * 1024;

let scratch: Scratch;
let files: FileServer;
let bed: TestBed;
beforeAll(async () => {
  scratch = await makeScratch("fit");
  files = await serveFiles({ tlsDir: scratch.path });
  bed = await openTestBed();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await files[Symbol.asyncDispose]();
  await scratch.remove();
});

/** Left half red, right half blue. */
async function halves(width: number, height: number) {
  const half = {
    width: Math.floor(width / 2),
    height,
    channels: 3,
    background: "#0000f0",
  } as const;
  const right = await sharp({ create: half }).png().toBuffer();
  const create = { width, height, channels: 3, background: "#f00000" } as const;
  return sharp({ create }).composite([{ input: right, gravity: "east" }]);
}

async function bmp(width: number, height: number): Promise<Buffer> {
  const png = join(scratch.path, `${width}x${height}.png`);
  await writeFile(png, await (await halves(width, height)).png().toBuffer());
  const path = png.replace(".png", ".bmp");
  await run("ffmpeg", ["-v", "error", "-y", "-i", png, path]);
  return readFile(path);
}

/** A palette of 256 greys and as many random pixels. */
function noisyBmp(width: number, height: number): Buffer {
  const head = Buffer.alloc(54 + 1_024);
  const rowBytes = Math.ceil(width / 4) * 4;
  head.write("BM", 0, "latin1");
  head.writeUInt32LE(head.length + rowBytes * height, 2);
  head.writeUInt32LE(head.length, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(8, 28);
  for (let grey = 0; grey < 256; grey++) head.fill(grey, 54 + 4 * grey, 57 + 4 * grey);
  return Buffer.concat([head, randomBytes(rowBytes * height)]);
}

const modes = {
  "image-to-video": {},
  "reference-to-video": { prompt: "character1 runs", videoWorkflowTab: "multi-reference" },
} as const;
type Mode = keyof typeof modes;

const ways = {
  "an external URL": async (_accountId: string, bytes: Buffer) => files.offer(bytes),
  "an asset": async (accountId: AccountId, bytes: Buffer) => {
    const path = join(scratch.path, "asset");
    await writeFile(path, bytes);
    const facts = await probeMedia(path);
    if (facts === null) throw new Error("no image");
    const upstreamAssetId = `asset-20260101-${randomBytes(4).toString("hex")}`;
    await insertAsset(bed.database, { accountId, upstreamAssetId, ...facts });
    const object = { contentType: facts.contentType, ...(await measureFile(path)) };
    const key = await storeFile(bed.ctx, path, facts.extension, object);
    await bed.database.sql("update assets set storage_key = $1 where upstream_asset_id = $2", [
      key,
      upstreamAssetId,
    ]);
    return `asset://${upstreamAssetId}`;
  },
};
type Way = keyof typeof ways;

/** Returns the image that the vendor gets for an image. */
async function vendorCopyOf(way: Way, mode: Mode, bytes: Buffer) {
  const account = await bed.openAccount();
  const inputs = { ...modes[mode], urls: [await ways[way](account.id, bytes)] };
  const { taskId } = await createTask(bed.ctx, account, { model: "happyhorse", inputs }, null);
  const take = async () => {
    const task = await findOpenTask(bed.ctx.db, taskId);
    if (task === undefined) throw new Error("the task is over");
    const taken = await takeInputs(bed.ctx, task, imageRulesOf(task.request));
    if (taken.kind === "failed") throw new Error(taken.message);
    return [...taken.files.values()];
  };
  const [file] = await take();
  const copies = await countObjects();
  expect(await take(), "made once").toEqual([file]);
  expect(await countObjects()).toBe(copies);
  if (!file?.key) throw new Error("no copy");
  const copy = await readObject(bed.ctx.storage, file.key, 20 * megabyte);
  return { ...(await sharp(copy).metadata()), contentType: file.contentType, copy, key: file.key };
}

const countObjects = async () => (await bed.database.sql("select key from media_objects")).length;

async function coloursOf(copy: Buffer) {
  const { data, info } = await sharp(copy).raw().toBuffer({ resolveWithObject: true });
  const at = (x: number) => {
    const offset = (Math.floor(info.height / 2) * info.width + x) * info.channels;
    return [...data.subarray(offset, offset + 3)];
  };
  return { left: at(Math.floor(info.width / 4)), right: at(Math.floor((3 * info.width) / 4)) };
}

const redAndBlue = {
  left: [expect.closeTo(240, -1), expect.closeTo(0, -1), expect.closeTo(0, -1)],
  right: [expect.closeTo(0, -1), expect.closeTo(0, -1), expect.closeTo(240, -1)],
};

describe.each(["an external URL", "an asset"] as const)("%s", (way) => {
  test.each(["image-to-video", "reference-to-video"] as const)(
    "%s: a BMP reaches the vendor as a PNG that shows the same",
    async (mode) => {
      const seen = await vendorCopyOf(way, mode, await bmp(640, 480));
      expect(seen).toMatchObject({ format: "png", width: 640, height: 480 });
      expect(seen.contentType).toBe("image/png");
      expect(await coloursOf(seen.copy)).toEqual(redAndBlue);
    },
  );

  test("a reference image below 400 px is scaled to what the vendor takes, and stays within 2.5:1", async () => {
    const small = await (await halves(750, 300)).png().toBuffer();
    const seen = await vendorCopyOf(way, "reference-to-video", small);
    expect(seen).toMatchObject({ format: "png", width: 1_000, height: 400 });
    expect(await coloursOf(seen.copy)).toEqual(redAndBlue);
    const tall = await vendorCopyOf(way, "reference-to-video", await bmp(301, 752));
    expect(tall).toMatchObject({ width: 400, height: 999 });
  });

  test("a small photograph that is turned by its own note stays upright", async () => {
    const turned = await (await halves(320, 480))
      .jpeg()
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const seen = await vendorCopyOf(way, "reference-to-video", turned);
    expect(seen).toMatchObject({ format: "png", width: 600, height: 400 });
  });

  test("what the vendor takes as it is, is not touched", async () => {
    const first = await (await halves(300, 750)).jpeg().toBuffer();
    expect((await vendorCopyOf(way, "image-to-video", first)).copy).toEqual(first);
    const reference = await (await halves(400, 1_000)).webp().toBuffer();
    expect((await vendorCopyOf(way, "reference-to-video", reference)).copy).toEqual(reference);
  });
});

test("a BMP of 10 MB that PNG would make larger still reaches the vendor with less than 10 MB, at 2.5:1 at most", async () => {
  const bytes = noisyBmp(5_000, 2_000);
  expect(bytes.length).toBeLessThan(10 * megabyte);
  const seen = await vendorCopyOf("an external URL", "image-to-video", bytes);
  expect(seen.copy.length).toBeLessThanOrEqual(10 * megabyte);
  expect((seen.width ?? 0) / (seen.height ?? 1)).toBeLessThanOrEqual(2.5);
  expect(seen.height).toBeGreaterThanOrEqual(400);
});

test("the copy for the vendor goes away again; the asset's own stays", async () => {
  const seen = await vendorCopyOf("an asset", "image-to-video", await bmp(400, 400));
  const [row] = await bed.database.sql("select expires_at from media_objects where key = $1", [
    seen.key,
  ]);
  expect(row?.["expires_at"]).toBeInstanceOf(Date);
});
