import { makeNoise } from "@zoetrope/testkit/make-media.ts";
import { expect, test } from "vitest";
import { main } from "../src/client.ts";
import { expectInvalid } from "../src/expect-refusal.ts";
import { beginUpload, endUpload, sendMissing } from "../src/upload.ts";

test.for([{}, { uploadId: "" }, { uploadId: 1 }, { uploadId: "a".repeat(101) }])(
  "uploadId is required: %j",
  async (body) => {
    expectInvalid(await main.completeUpload(body), "uploadId");
  },
);

test("chunks that are missing are named", async () => {
  const bytes = makeNoise(900);
  const upload = await beginUpload(bytes);
  await sendMissing(bytes, { ...upload, chunks: upload.chunks.slice(1) });
  const answer = await main.completeUpload({ uploadId: upload.uploadId });
  expectInvalid(answer, "uploadId");
  expect(answer.body["message"]).toMatch(/^uploadId: chunk 0 not received/);
  await endUpload(bytes, upload.uploadId);
});
