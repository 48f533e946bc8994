import { makeNoise } from "@zoetrope/testkit/make-media.ts";
import { expect, test } from "vitest";
import { beginUpload, endUpload } from "../src/upload.ts";

test("an upload answers where to send which bytes, and that nothing has arrived", async () => {
  const bytes = makeNoise(900);
  const upload = await beginUpload(bytes, { name: "a name", sha256: "0".repeat(64) });
  expect(upload).toMatchObject({
    uploadId: expect.any(String),
    size: bytes.length,
    chunkBytes: expect.any(Number),
    received: [],
    asset: null,
  });
  expect(upload.chunks.map(({ number }) => number)).toEqual([...upload.chunks.keys()]);
  const sizes = upload.chunks.map(({ size }) => size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(bytes.length);
  expect(sizes.slice(0, -1).every((size) => size === upload.chunkBytes)).toBe(true);
  for (const { method, url } of upload.chunks) {
    expect(method).toBe("PUT");
    expect(URL.canParse(url)).toBe(true);
  }
  const hours = (upload.expiresAt - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23);
  expect(hours).toBeLessThan(25);
  await endUpload(bytes, upload.uploadId);
});

test("name and checksum may be left out; two uploads of one file are two uploads", async () => {
  const bytes = makeNoise(1);
  const one = await beginUpload(bytes);
  const two = await beginUpload(bytes, { name: null, sha256: null });
  expect(one.uploadId).not.toBe(two.uploadId);
  for (const { uploadId } of [one, two]) await endUpload(bytes, uploadId);
});
