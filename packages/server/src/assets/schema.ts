import { z } from "zod";
import { numberCursor, pageLimit } from "../http/paging.ts";
import type { AssetId } from "../ids.ts";
import { declarationBody } from "./declarations/schema.ts";

const type = z.enum(["IMAGE", "AUDIO", "VIDEO"], { error: "must be IMAGE, AUDIO or VIDEO" });
const status = z.enum(["NONE", "PROCESSING", "ACTIVE", "FAILED"], {
  error: "must be NONE, PROCESSING, ACTIVE or FAILED",
});
/** The maximum for every file in the library. */
export const fileBytesMax = 200 * 1024 * 1024;
const urlCharactersMax = 4_096;
const nameRule = "must be text of 1 to 64 characters";

export const uploadBody = z
  .strictObject({
    url: z
      .string({ error: "must be a public http or https URL, or task://<taskId>/<index>" })
      .max(urlCharactersMax, { error: `must have at most ${urlCharactersMax} characters` })
      .refine((url) => url.isWellFormed() && !url.includes("\u0000"), {
        error: "must be well-formed text without NUL characters",
      })
      .meta({
        description:
          "Public URL of the file, which is fetched once; a copy is stored. An output of a task is saved to the library by task://<taskId>/<index> or its link: nothing is fetched, and the asset that the account has of it is answered.",
      }),
    type: type.meta({ description: "The type of the file, which must match its content." }),
    name: z
      .string({ error: "must be text of at most 64 characters" })
      .max(64, { error: "must have at most 64 characters" })
      .nullish()
      .meta({ description: "A label for your own use." }),
    declaration: declarationBody.nullish(),
  })
  .meta({
    examples: [
      {
        url: "https://example.com/actor.png",
        type: "IMAGE",
        name: "Actor, front",
        declaration: {
          people: "Maria Example, actor",
          purpose: "Advertising videos of Example Ltd. until the end of 2027",
        },
      },
    ],
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
  name: z
    .string()
    .min(1, { error: nameRule })
    .max(64, { error: nameRule })
    .refine((text) => text.isWellFormed() && !text.includes("\u0000"), { error: nameRule })
    .optional()
    .meta({ description: "Only assets whose name contains this text, in either case." }),
  cursor: numberCursor(),
  limit: pageLimit(
    { usual: 20, max: 50 },
    "Most items of a page. A page with `name` can have fewer, or none, before the last.",
  ),
});
export type ListQuery = z.output<typeof listQuery>;

export const assetAnswer = z
  .object({
    assetId: z.int(),
    upstreamAssetId: z
      .string()
      .meta({ description: "Referenced in inputs as asset://<upstreamAssetId>." }),
    type,
    status,
    failReason: z.string().nullable(),
    url: z.string().meta({
      description: "The submitted URL, unchanged. For a direct upload, the storageUrl.",
    }),
    storageUrl: z.string().meta({
      description:
        "URL of the stored copy; it never changes. The upscaler accepts it as a source. It serves the file once the review has passed.",
    }),
    previewUrl: z.string().nullable().meta({
      description:
        "A signed link to the stored copy, valid for one hour, also during review. null until the copy is stored and once the asset has failed.",
    }),
    name: z.string().nullable(),
    createdAt: z.int().meta({ description: "Epoch milliseconds." }),
    width: z.int().nullable(),
    height: z.int().nullable(),
    size: z.int().nullable().meta({ description: "Size in bytes." }),
    duration: z.number().nullable().meta({ description: "Duration in seconds; null for images." }),
    usableBy: z.array(z.string()).meta({
      description:
        "The models that take the asset now. A model that needs no review takes it as soon as it is stored.",
    }),
    usableAfterReview: z.array(z.string()).meta({
      description: "The models that take the asset once its review has passed.",
    }),
  })
  .meta({ id: "Asset" });
export type AssetAnswer = z.output<typeof assetAnswer> & { assetId: AssetId };

export const assetPage = z.object({
  items: z.array(assetAnswer),
  nextCursor: z.int().nullable().meta({ description: "null on the last page." }),
});

export const deleteAnswer = z.object({
  assetId: z.int(),
  upstreamAssetId: z.string(),
  deleted: z.literal(true),
});
