import { makeNoise } from "@zoetrope/testkit/make-media.ts";
import { expect, test } from "vitest";
import { main, other } from "../src/client.ts";
import { expectRefusal } from "../src/expect-refusal.ts";
import { beginUpload, endUpload, sendMissing } from "../src/upload.ts";

const notFound = { status: 404, code: "upload_not_found" };
const unknown = "01990000-0000-7000-8000-000000000000";

test.for(["1", unknown, "'; --"])("an unknown upload is a 404: %s", async (uploadId) => {
  expectRefusal(await main.completeUpload({ uploadId }), notFound);
});

test("another account's upload is answered like one that does not exist", async () => {
  const bytes = makeNoise(2);
  const upload = await beginUpload(bytes);
  await sendMissing(bytes, upload);
  const { uploadId } = upload;
  const answer = await other.completeUpload({ uploadId });
  expectRefusal(answer, notFound);
  const missing = await other.completeUpload({ uploadId: unknown });
  expect(answer.body["message"]).toBe(missing.body["message"]);
  await endUpload(bytes, uploadId);
});
