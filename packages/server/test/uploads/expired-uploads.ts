import { expect, test } from "vitest";
import { storeAsset } from "../../src/assets/store-asset.ts";
import { dropExpiredUploads } from "../../src/assets/uploads/queries.ts";
import type { UploadAnswer } from "../../src/assets/uploads/schema.ts";
import { collectObjects } from "../../src/media/storage/objects.ts";
import type { TestBed } from "../harness/test-context.ts";
import type { Sender } from "../harness/upload-bed.ts";
import { countChunks, countRows, linkOf, sendChunks, stemOf } from "./chunks.ts";

/** Tests the expiry of uploads, as part of a suite with a separate storage. */
export function testExpiredUploads(
  at: () => { bed: TestBed; sender: Sender; video: Buffer },
): void {
  async function begin() {
    const { bed, sender, video } = at();
    const upload = await sender.created({ type: "VIDEO", size: video.length });
    return { bed, sender, upload };
  }
  const send = (upload: UploadAnswer, numbers: number[]) => sendChunks(upload, at().video, numbers);

  test("that is abandoned is collected after its time, rows and objects, and not before", async () => {
    const { bed, sender, upload } = await begin();
    await send(upload, [0, 1]);
    await pass(bed, 23.9);
    await collect(bed);
    const late = await sender.seen(upload.uploadId);
    expect(late.received).toEqual([0, 1]);
    expect(endOf(linkOf(late, 2))).toBeLessThan(late.expiresAt + 2_000); // links count in seconds
    await pass(bed, 0.2);
    expect((await sender.read(upload.uploadId)).status).toBe(404);
    expect((await sender.complete(upload.uploadId)).status).toBe(404);
    await collect(bed);
    expect(await countRows(bed, "asset_uploads where id =", upload.uploadId)).toBe(0);
    await pass(bed, 1);
    await collect(bed);
    expect(await countChunks(bed, upload)).toBe(0);
    expect(await countRows(bed, "media_objects where key like", `${stemOf(upload)}%`)).toBe(0);
  });

  test("that is completed late still has its chunks when the worker is a day late", async () => {
    const { bed, sender, upload } = await begin();
    await send(upload, [0, 1, 2]);
    await pass(bed, 23.5);
    const { assetId } = await sender.completed(upload.uploadId);
    await pass(bed, 23.5);
    await collect(bed);
    await storeAsset(bed.ctx, assetId);
    expect((await sender.asset(assetId)).previewUrl).not.toBeNull();
  });

  test("leaves nothing behind when a chunk is sent once more after the end", async () => {
    const { bed, sender, upload } = await begin();
    await send(upload, [0, 1, 2]);
    const asset = await sender.completed(upload.uploadId);
    await storeAsset(bed.ctx, asset.assetId);
    await send(upload, [1]);
    expect(await countChunks(bed, upload)).toBe(1);
    await pass(bed, 25.1);
    await collect(bed);
    expect(await countChunks(bed, upload)).toBe(0);
    expect((await sender.asset(asset.assetId)).previewUrl).not.toBeNull();
  });
}

async function pass({ database }: TestBed, hours: number): Promise<void> {
  for (const table of ["asset_uploads", "media_objects"])
    await database.sql(`update ${table} set expires_at = expires_at - $1 * interval '1 hour'`, [
      hours,
    ]);
}

async function collect({ ctx }: TestBed): Promise<void> {
  await dropExpiredUploads(ctx.db, 100);
  await collectObjects(ctx, 1_000);
}

/** Returns the time at which a link of either driver ends. */
function endOf(link: string): number {
  const { searchParams } = new URL(link);
  const ours = searchParams.get("expires");
  if (ours !== null) return Number(ours);
  const [, day = "", time = ""] = /(\d+)T(\d+)Z/.exec(searchParams.get("X-Amz-Date") ?? "") ?? [];
  const signedAt = Date.parse(
    `${day.replace(/(....)(..)/, "$1-$2-")}T${time.replace(/(..)(..)/, "$1:$2:")}Z`,
  );
  return signedAt + 1000 * Number(searchParams.get("X-Amz-Expires"));
}
