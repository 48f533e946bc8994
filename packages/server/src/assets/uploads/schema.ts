import { z } from "zod";
import { assetAnswer, fileBytesMax, uploadBody } from "../schema.ts";

const sizeRule = `must be the size of the file in bytes, 1 to ${fileBytesMax}`;
const sha256Rule = "must be the SHA-256 of the whole file as 64 hexadecimal digits";
const uploadIdRule = "must be an uploadId";

export const createUploadBody = uploadBody.pick({ type: true, name: true }).extend({
  size: z
    .int({ error: sizeRule })
    .min(1, { error: sizeRule })
    .max(fileBytesMax, { error: sizeRule })
    .meta({ description: "Of the whole file, in bytes." }),
  sha256: z
    .string({ error: sha256Rule })
    .regex(/^[0-9a-f]{64}$/i, { error: sha256Rule })
    .nullish()
    .meta({ description: "Of the whole file. With it, other bytes fail the asset." }),
});
export type CreateUploadBody = z.output<typeof createUploadBody>;

const uploadId = z
  .string({ error: uploadIdRule })
  .min(1, { error: uploadIdRule })
  .max(100, { error: uploadIdRule })
  .meta({ description: "The id that the upload was given when it began." });

export const uploadQuery = z.strictObject({ uploadId });
export const completeUploadBody = z.strictObject({ uploadId });

const chunk = z.object({
  number: z.int().meta({ description: "From 0. The chunk begins at byte number x chunkBytes." }),
  size: z.int().meta({ description: "Bytes; no more and no fewer are taken." }),
  method: z.literal("PUT"),
  url: z.string().meta({
    description: "Send the chunk's bytes here, without a key. Lives an hour at most.",
  }),
});

export const uploadAnswer = z
  .object({
    uploadId: z.string(),
    size: z.int().meta({ description: "Of the whole file, in bytes." }),
    chunkBytes: z.int().meta({ description: "Of every chunk but the last, which may be shorter." }),
    chunks: z.array(chunk).meta({ description: "Those that are missing, with fresh links." }),
    received: z.array(z.int()).meta({ description: "The numbers of those that are there." }),
    expiresAt: z.int().meta({ description: "Until then it can be gone on with." }),
    asset: assetAnswer.nullable().meta({ description: "null until the upload is completed." }),
  })
  .meta({ id: "Upload" });
export type UploadAnswer = z.output<typeof uploadAnswer>;
