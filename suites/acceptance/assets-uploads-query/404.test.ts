import { makeNoise } from "@zoetrope/testkit/make-media.ts";
import { expect, test } from "vitest";
import { main, other } from "../src/client.ts";
import { expectRefusal } from "../src/expect-refusal.ts";
import { beginUpload, endUpload } from "../src/upload.ts";

const notFound = { status: 404, code: "upload_not_found" };
const unknown = "01990000-0000-7000-8000-000000000000";

test.for(["1", unknown, "'; --", "../1"])("an unknown upload is a 404: %s", async (uploadId) => {
  expectRefusal(await main.readUpload(uploadId), notFound);
});

test("another account's upload is answered like one that does not exist", async () => {
  const bytes = makeNoise(2);
  const { uploadId } = await beginUpload(bytes);
  const answer = await other.readUpload(uploadId);
  expectRefusal(answer, notFound);
  expect(answer.body["message"]).toBe((await other.readUpload(unknown)).body["message"]);
  await endUpload(bytes, uploadId);
});
