import assert from "node:assert";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { makePaddedVideo } from "@zoetrope/testkit/make-media.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { sendChunk } from "../../../test/harness/send-chunk.ts";
import { openUploadBed, storageDrivers } from "../../../test/harness/upload-bed.ts";
import { sha256 } from "../../../test/uploads/chunks.ts";
import { fileBytesMax } from "../schema.ts";
import { storeAsset } from "../store-asset.ts";

const sizeBytes = fileBytesMax - 1_000;
const cutsCount = 5;
const resentShareMax = 0.1;
const seed = 20_261_115;

let video: Buffer;
beforeAll(async () => {
  video = await makePaddedVideo(sizeBytes);
});

/** Returns places in the file, the same ones every time. */
function cutOffsets(): number[] {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return Array.from({ length: cutsCount }, () => Math.floor(next() * sizeBytes)).sort(
    (one, two) => one - two,
  );
}

describe.each(storageDrivers)("an upload to %s", (driver) => {
  test("of 200 MB that is cut five times completes and sends less than 10 % again", async () => {
    await using opened = await openUploadBed(driver);
    const { bed } = opened;
    const sender = await opened.openSender();
    const body = { type: "VIDEO", size: sizeBytes, sha256: sha256(video) };
    const { uploadId, chunkBytes } = await sender.created(body);

    const cuts = cutOffsets();
    let wireBytes = 0;
    let cutsMade = 0;
    for (;;) {
      // All that a sender remembers after a cut is the id: what is missing, the service knows.
      const { chunks } = await sender.seen(uploadId);
      if (chunks.length === 0) break;
      for (const { number, size, url } of chunks) {
        const from = number * chunkBytes;
        const cut = cuts.find((at) => at >= from && at < from + size);
        const bytes = video.subarray(from, from + size);
        if (cut === undefined) {
          const sent = await sendChunk(url, bytes);
          expect(sent.status).toBe(200);
          wireBytes += sent.wireBytes;
          continue;
        }
        const torn = await sendChunk(url, bytes, { cutAfterBytes: cut - from });
        wireBytes += torn.wireBytes;
        cuts.splice(cuts.indexOf(cut), 1);
        cutsMade += 1;
        expect((await sender.seen(uploadId)).received).not.toContain(number);
        break;
      }
    }
    expect(cutsMade).toBe(cutsCount);
    expect(wireBytes / sizeBytes - 1).toBeGreaterThan(0);
    expect(wireBytes / sizeBytes - 1).toBeLessThan(resentShareMax);

    const { assetId } = await sender.completed(uploadId);
    await storeAsset(bed.ctx, assetId);
    const { previewUrl, size } = await sender.asset(assetId);
    assert(previewUrl !== null);
    expect(size).toBe(sizeBytes);
    const stored = await fetch(previewUrl);
    expect(sha256(Buffer.from(await stored.arrayBuffer()))).toBe(sha256(video));
  });
});

test("a chunk that is cut is logged as such, and not as a fault of ours", async () => {
  await using opened = await openUploadBed("a folder");
  const sender = await opened.openSender();
  const { chunks } = await sender.created({ type: "VIDEO", size: 1_000 });
  await sendChunk(chunks[0]?.url ?? "", video.subarray(0, 1_000), { cutAfterBytes: 500 });
  const logged = (event: string) => opened.logLines.some((line) => line.includes(event));
  const isLogged = () => logged("chunk.aborted") || logged("request.failed");
  await waitUntil("the cut is logged", isLogged, { timeoutMs: 300_000 });
  expect(logged("request.failed")).toBe(false);
});
