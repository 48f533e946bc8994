import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  declareAsset,
  declaredWords,
  pdfForm,
  sendUpload,
} from "../../../test/harness/declared-asset.ts";
import { judge } from "../../../test/harness/judge.ts";
import { paint } from "../../../test/harness/library-bed.ts";
import { sendChunk } from "../../../test/harness/send-chunk.ts";
import { openUploadBed, type Sender, type UploadBed } from "../../../test/harness/upload-bed.ts";
import { inTransaction } from "../../db/database.ts";
import { collectObjects } from "../../media/storage/objects.ts";
import { findMiscounted } from "../library-queries.ts";
import { reviewAsset } from "../review/review-asset.ts";

const pdf = pdfForm;
const words = declaredWords;

let uploads: UploadBed;
let image: Buffer;
beforeAll(async () => {
  uploads = await openUploadBed("a folder", { REVIEW_IMAGE: "manual" });
  image = await paint();
});
afterAll(() => uploads[Symbol.asyncDispose]());

const sent = sendUpload;
const declared = (sender: Sender, form: Buffer | null) =>
  declareAsset(uploads, sender, image, form);

const storedBytes = async ({ account }: Sender) => {
  const sum =
    "select coalesce(sum(stored_bytes), 0)::int as bytes from account_libraries where account_id = $1";
  const [row] = await uploads.bed.database.sql<{ bytes: number }>(sum, [account.id]);
  return row?.bytes;
};

test("an owner reads what it declared, another account does not", async () => {
  const [sender, other] = [await uploads.openSender(), await uploads.openSender()];
  const { assetId } = await declared(sender, image);
  expect(await sender.call("GET", `declaration?assetId=${assetId}`)).toMatchObject({
    status: 200,
    body: { assetId, ...words, formType: "image/png", formUrl: expect.any(String) },
  });
  expect((await other.call("GET", `declaration?assetId=${assetId}`)).status).toBe(404);
});

test("the bytes of a form count as the account's, and go with the asset", async () => {
  const sender = await uploads.openSender();
  const { assetId } = await declared(sender, pdf);
  expect(await storedBytes(sender)).toBe(image.length + pdf.length);
  const { body } = await sender.call("GET", `declaration?assetId=${assetId}`);
  await judge(uploads.bed.ctx, assetId, "refused");
  await reviewAsset(uploads.bed.ctx, assetId);
  expect(await storedBytes(sender)).toBe(0);
  expect(await inTransaction(uploads.bed.ctx.db, findMiscounted)).toEqual([]);
  await collectObjects(uploads.bed.ctx, 1_000);
  expect((await fetch(String(body["formUrl"]))).status).toBe(404);
  const after = await sender.call("GET", `declaration?assetId=${assetId}`);
  expect(after.body).toMatchObject({ ...words, formType: "application/pdf", formUrl: null });
});

test("deleting an asset blanks its declaration", async () => {
  const sender = await uploads.openSender();
  const { assetId } = await declared(sender, pdf);
  await sender.call("DELETE", `?assetId=${assetId}`);
  const rows = await uploads.bed.database.sql(
    "select people, purpose, form_key from asset_declarations where asset_id = $1",
    [assetId],
  );
  expect(rows).toEqual([{ people: "", purpose: "", form_key: null }]);
});

test.each([
  ["text", Buffer.from("I agree.")],
  ["a page", Buffer.from("<html><script>alert(1)</script></html>")],
  ["a damaged image", Buffer.from("\x89PNG\r\n\x1a\nnothing", "latin1")],
])("a form that is %s fails the asset, and the owner reads why", async (_, form) => {
  const sender = await uploads.openSender();
  const { assetId } = await declared(sender, form);
  expect(await sender.asset(assetId)).toMatchObject({
    status: "FAILED",
    failReason: "The form of the declaration is not a PDF, PNG, JPEG or WebP file, or is damaged.",
  });
});

test("a form is refused that is incomplete, another account's, no document, or the form of another asset", async () => {
  const [sender, other] = [await uploads.openSender(), await uploads.openSender()];
  const asset = await sent(sender, image, "IMAGE");
  const incomplete = await sender.created({ type: "DOCUMENT", size: 10 });
  const { formUploadId: used } = await declared(sender, pdf);
  for (const formUploadId of [
    incomplete.uploadId,
    await sent(other, pdf, "DOCUMENT"),
    used,
    await sent(sender, image, "IMAGE"),
    "nothing",
  ]) {
    const declaration = { ...words, formUploadId };
    expect(await sender.complete(asset, { declaration }), String(formUploadId)).toMatchObject({
      status: 400,
      body: { param: "declaration.formUploadId" },
    });
  }
});

test("a document is at most 10 MB, and does not become an asset", async () => {
  const sender = await uploads.openSender();
  const large = await sender.create({ type: "DOCUMENT", size: 10 * 1024 * 1024 + 1 });
  expect(large).toMatchObject({ status: 400, body: { param: "size" } });
  const sha256 = createHash("sha256").update(pdf).digest("hex");
  const { uploadId, chunks } = await sender.created({ type: "DOCUMENT", size: pdf.length, sha256 });
  for (const { url } of chunks) await sendChunk(url, pdf);
  expect(await sender.complete(uploadId)).toMatchObject({
    status: 400,
    body: { param: "uploadId" },
  });
});

test("an upload by URL carries a declaration, too", async () => {
  const sender = await uploads.openSender();
  const url = "http://127.0.0.1:9/a.png";
  const made = await sender.call("POST", "upload", { url, type: "IMAGE", declaration: words });
  expect(made.status).toBe(200);
  const { body } = await sender.call("GET", `declaration?assetId=${made.body["assetId"]}`);
  expect(body).toMatchObject({ ...words, formType: null, formUrl: null });
  for (const declaration of [{ people: "Ada" }, { ...words, people: "" }, { ...words, more: 1 }]) {
    const refused = await sender.call("POST", "upload", { url, type: "IMAGE", declaration });
    expect(refused.status).toBe(400);
  }
});
