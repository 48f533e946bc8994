import { z } from "zod";

const type = z.enum(["IMAGE", "AUDIO", "VIDEO"], { error: "must be IMAGE, AUDIO or VIDEO" });
const status = z.enum(["NONE", "PROCESSING", "ACTIVE", "FAILED"], {
  error: "must be NONE, PROCESSING, ACTIVE or FAILED",
});
/** Of every file in the library. */
export const fileBytesMax = 200 * 1024 * 1024;
const urlCharactersMax = 4_096;
const idMax = Number.MAX_SAFE_INTEGER;
const limitRule = "must be a whole number from 1 to 50";
const cursorRule = "must be the nextCursor of the page before";

export const uploadBody = z.strictObject({
  url: z
    .string({ error: "must be a public http or https URL" })
    .max(urlCharactersMax, { error: `must have at most ${urlCharactersMax} characters` })
    .refine((url) => url.isWellFormed() && !url.includes("\u0000"), {
      error: "must be well-formed text without NUL characters",
    })
    .meta({ description: "Where the file is now. It is fetched once and kept as a copy." }),
  type: type.meta({ description: "What the file is; its bytes must agree." }),
  name: z
    .string({ error: "must be text of at most 64 characters" })
    .max(64, { error: "must have at most 64 characters" })
    .nullish()
    .meta({ description: "For your own use." }),
});
export type UploadBody = z.output<typeof uploadBody>;

export const statusQuery = z.strictObject({
  assetId: z
    .string({ error: "must be an assetId or an upstreamAssetId" })
    .min(1, { error: "must be an assetId or an upstreamAssetId" })
    .max(100, { error: "must be an assetId or an upstreamAssetId" })
    .meta({ description: "The numeric assetId or the upstreamAssetId." }),
});

export const listQuery = z.strictObject({
  type: type.optional(),
  status: status.optional(),
  cursor: z.coerce.number({ error: cursorRule }).int().min(1).max(idMax).optional().meta({
    description: "The nextCursor of the page before; left out, the newest.",
  }),
  limit: z.coerce
    .number({ error: limitRule })
    .int()
    .min(1)
    .max(50)
    .default(20)
    .meta({ description: "Items on a page." }),
});
export type ListQuery = z.output<typeof listQuery>;

export const assetAnswer = z
  .object({
    assetId: z.int(),
    upstreamAssetId: z.string().meta({ description: "Used as asset://<upstreamAssetId>." }),
    type,
    status,
    failReason: z.string().nullable(),
    url: z.string().meta({
      description:
        "The submitted URL, unchanged. Of a file that was uploaded directly: its storageUrl.",
    }),
    storageUrl: z.string().meta({
      description:
        "The address of our copy, known from the start and never changed. The upscaler takes it. It serves the file once the review has passed.",
    }),
    previewUrl: z.string().nullable().meta({
      description:
        "A signed link to our copy for its owner, also while it is in review. It works for an hour. null until the copy is stored, and once the asset has failed.",
    }),
    name: z.string().nullable(),
    createdAt: z.int().meta({ description: "Milliseconds since 1970." }),
    width: z.int().nullable(),
    height: z.int().nullable(),
    size: z.int().nullable().meta({ description: "Bytes." }),
    duration: z.number().nullable().meta({ description: "Seconds; null for images." }),
  })
  .meta({ id: "Asset" });
export type AssetAnswer = z.output<typeof assetAnswer>;

export const assetPage = z.object({
  items: z.array(assetAnswer),
  nextCursor: z.int().nullable().meta({ description: "null on the last page." }),
});

export const deleteAnswer = z.object({
  assetId: z.int(),
  upstreamAssetId: z.string(),
  deleted: z.literal(true),
});
