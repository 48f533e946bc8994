import { z } from "zod";
import type { UploadId } from "../../ids.ts";
import { declarationBody } from "../declarations/schema.ts";
import { assetAnswer, fileBytesMax, uploadBody } from "../schema.ts";

const sizeRule = `must be the size of the file in bytes, 1 to ${fileBytesMax}`;
const sha256Rule = "must be the SHA-256 of the whole file as 64 hexadecimal digits";
const uploadIdRule = "must be an uploadId";

/** The maximum for the form of a declaration. */
export const formBytesMax = 10 * 1024 * 1024;

const reuse = z.boolean({ error: "must be true or false" }).nullish().meta({
  description:
    "false: makes an asset of its own, although the account has one of the same bytes. Needed to declare something about a file that is in the library.",
});

export const createUploadBody = uploadBody
  .pick({ name: true })
  .extend({
    type: z
      .enum(["IMAGE", "AUDIO", "VIDEO", "DOCUMENT"], {
        error: "must be IMAGE, AUDIO, VIDEO or DOCUMENT",
      })
      .meta({
        description:
          "The type of the file, which must match its content. DOCUMENT: the signed form of a declaration, at most 10 MB.",
      }),
    size: z
      .int({ error: sizeRule })
      .min(1, { error: sizeRule })
      .max(fileBytesMax, { error: sizeRule })
      .meta({ description: "Size of the whole file in bytes." }),
    sha256: z
      .string({ error: sha256Rule })
      .regex(/^[0-9a-f]{64}$/i, { error: sha256Rule })
      .nullish()
      .meta({
        description:
          "SHA-256 of the whole file. If the account has an asset of this type with these bytes, `asset` is that one and there is nothing to send. Otherwise the asset fails when the bytes do not match.",
      }),
    reuse,
  })
  .meta({
    examples: [
      {
        name: "Actor, front",
        type: "IMAGE",
        size: 1_482_113,
        sha256: "0e3a67c4544632f02aee028374fad83b48e6126a5d52cf65437cdaf35dd23299",
      },
    ],
  });
export type CreateUploadBody = z.output<typeof createUploadBody>;

const uploadId = z
  .string({ error: uploadIdRule })
  .min(1, { error: uploadIdRule })
  .max(100, { error: uploadIdRule })
  .meta({ description: "The uploadId returned when the upload was created." });

export const uploadQuery = z.strictObject({ uploadId });
export const completeUploadBody = z
  .strictObject({
    uploadId,
    declaration: declarationBody.nullish(),
    reuse,
  })
  .meta({
    examples: [
      {
        uploadId: "01a1dfbc-9b10-7d21-8003-6a5f04e2c9b7",
        declaration: {
          people: "Maria Example, actor",
          purpose: "Advertising videos of Example Ltd. until the end of 2027",
        },
      },
    ],
  });
export type CompleteUploadBody = z.output<typeof completeUploadBody>;

const chunk = z.object({
  number: z
    .int()
    .meta({ description: "Starts at 0. The chunk starts at byte `number` x `chunkBytes`." }),
  size: z.int().meta({ description: "Exact size of the chunk in bytes." }),
  method: z.literal("PUT"),
  url: z.string().meta({
    description: "PUT the bytes of the chunk here, without an API key. Valid for at most one hour.",
  }),
});

export const uploadAnswer = z
  .object({
    uploadId: z.string(),
    size: z.int().meta({ description: "Size of the whole file in bytes." }),
    chunkBytes: z.int().meta({
      description: "Size of every chunk in bytes, except the last, which may be smaller.",
    }),
    chunks: z
      .array(chunk)
      .meta({ description: "The chunks that are still missing, with new links." }),
    received: z
      .array(z.int())
      .meta({ description: "Numbers of the chunks that have been received." }),
    expiresAt: z
      .int()
      .meta({ description: "The upload can be resumed until then. Epoch milliseconds." }),
    asset: assetAnswer.nullable().meta({
      description:
        "null until the upload is completed. At once the asset that the account has of the same bytes: there are no chunks to send.",
    }),
  })
  .meta({ id: "Upload" });
export type UploadAnswer = z.output<typeof uploadAnswer> & { uploadId: UploadId };
