import { makeNoise } from "@zoetrope/testkit/make-media.ts";
import { expect, test } from "vitest";
import { main } from "../src/client.ts";
import { beginUpload, endUpload, sendMissing, uploadIn } from "../src/upload.ts";

test("an upload says what has arrived and gives links for the rest: it can be resumed", async () => {
  const bytes = makeNoise(900);
  const upload = await beginUpload(bytes);
  await sendMissing(bytes, { ...upload, chunks: upload.chunks.slice(1) });
  const half = uploadIn(await main.readUpload(upload.uploadId));
  expect(half).toMatchObject({
    uploadId: upload.uploadId,
    size: bytes.length,
    chunkBytes: upload.chunkBytes,
    received: upload.chunks.slice(1).map(({ number }) => number),
    expiresAt: upload.expiresAt,
    asset: null,
  });
  expect(half.chunks.map(({ number }) => number)).toEqual([0]);
  await sendMissing(bytes, half);
  const whole = uploadIn(await main.readUpload(upload.uploadId));
  expect([whole.chunks, whole.received.length]).toEqual([[], upload.chunks.length]);
  await endUpload(bytes, upload.uploadId);
});

test("a completed upload has its asset", async () => {
  const bytes = makeNoise(2);
  const { uploadId } = await beginUpload(bytes);
  await endUpload(bytes, uploadId);
  const { asset, chunks } = uploadIn(await main.readUpload(uploadId));
  expect(asset).toMatchObject({ assetId: expect.any(Number), type: "IMAGE" });
  expect(chunks).toEqual([]);
});
