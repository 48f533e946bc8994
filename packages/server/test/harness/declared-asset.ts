import assert from "node:assert";
import { reviewAsset } from "../../src/assets/review/review-asset.ts";
import { storeAsset } from "../../src/assets/store-asset.ts";
import type { AssetId, UploadId } from "../../src/ids.ts";
import { sendChunk } from "./send-chunk.ts";
import type { Sender, UploadBed } from "./upload-bed.ts";

export const declaredWords = {
  people: "Ada Lovelace",
  purpose: "Videos for her own page, for one year.",
};
/** A form that would run a script where a viewer lets it. */
export const pdfForm = Buffer.from(
  "%PDF-1.7\n<</OpenAction <</S /JavaScript /JS (app.alert(1))>>>>\n",
);

/** Uploads bytes as chunks; nothing is completed. */
export async function sendUpload(
  sender: Sender,
  bytes: Buffer,
  type: "IMAGE" | "DOCUMENT",
): Promise<UploadId> {
  const { uploadId, chunks } = await sender.created({ type, size: bytes.length });
  for (const { url, number, size } of chunks)
    await sendChunk(url, bytes.subarray(number * 2 ** 21, number * 2 ** 21 + size));
  return uploadId;
}

/** An image with a declaration and this form, after its first step. */
export async function declareAsset(
  { bed }: UploadBed,
  sender: Sender,
  image: Buffer,
  form: Buffer | null,
) {
  const formUploadId = form === null ? null : await sendUpload(sender, form, "DOCUMENT");
  const uploadId = await sendUpload(sender, image, "IMAGE");
  const declaration = { ...declaredWords, formUploadId };
  const { status, body } = await sender.complete(uploadId, { declaration });
  assert.equal(status, 200, JSON.stringify(body));
  const assetId = body["assetId"] as AssetId;
  await storeAsset(bed.ctx, assetId);
  await reviewAsset(bed.ctx, assetId);
  return { assetId, formUploadId };
}
