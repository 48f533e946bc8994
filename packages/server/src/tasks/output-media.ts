import { z } from "zod";
import { labelKinds, type StoredMedia } from "../db/tables/tasks.ts";
import { mediaUrl } from "../media/storage/media-url.ts";
import type { Config } from "../settings/config.ts";

/** A stored output as its owner sees it. */
export const outputMedia = z.object({
  url: z.string(),
  width: z.int(),
  height: z.int(),
  expiresAt: z.int().nullable().meta({
    description:
      "The link works until then. After you deleted the media, the time of that. Epoch milliseconds.",
  }),
  mediaType: z.string().meta({ description: "Such as video/mp4 or image/png." }),
  sizeBytes: z.int(),
  durationSeconds: z.number().nullable().meta({ description: "null for an image." }),
  posterUrl: z.string().nullable().meta({
    description:
      "A small WebP of the output, of at most 480 pixels a side, for as long as the output. null where there is none.",
  }),
  thumbhash: z.string().nullable().meta({
    description: "ThumbHash of the poster in base64, to show while it loads.",
  }),
  labels: z.array(z.enum(labelKinds)).meta({
    description:
      "The marks in the file that say that a model made it: visible, a text that viewers see; aigc, the implicit label of GB 45438; c2pa, a signed manifest. Do not remove them.",
  }),
});

export function viewOutputMedia(media: StoredMedia, config: Config): z.output<typeof outputMedia> {
  const { publicUrl } = config.links;
  const { poster = null } = media;
  return {
    url: mediaUrl(publicUrl, media.key),
    width: media.width,
    height: media.height,
    expiresAt: media.expiresAt ?? null,
    mediaType: media.contentType,
    sizeBytes: media.sizeBytes,
    durationSeconds: media.durationMs === null ? null : media.durationMs / 1000,
    posterUrl: poster === null ? null : mediaUrl(publicUrl, poster.key),
    thumbhash: poster?.thumbhash ?? null,
    labels: media.labels ?? [],
  };
}

/** The objects of an output: the file and its poster. */
export function keysOfOutput(output: readonly StoredMedia[] | null): string[] {
  return (output ?? []).flatMap(({ key, poster }) => (poster ? [key, poster.key] : [key]));
}
