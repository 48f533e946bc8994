import { z } from "zod";
import { ArkError, invalidParameter, missingParameter } from "./errors.ts";

const media = z.object({ url: z.string().max(45_000_000) });

export const contentSchema = z
  .array(
    z.discriminatedUnion("type", [
      z.object({ type: z.literal("text"), text: z.string() }),
      z.object({
        type: z.literal("image_url"),
        image_url: media,
        role: z.enum(["first_frame", "last_frame", "reference_image"]).optional(),
      }),
      z.object({
        type: z.literal("video_url"),
        video_url: media,
        role: z.literal("reference_video").optional(),
      }),
      z.object({
        type: z.literal("audio_url"),
        audio_url: media,
        role: z.literal("reference_audio").optional(),
      }),
    ]),
  )
  .min(1);

type Content = z.output<typeof contentSchema>;

export type InputRole =
  | "first_frame"
  | "last_frame"
  | "reference_image"
  | "reference_video"
  | "reference_audio";

export interface Input {
  role: InputRole;
  url: string;
}

const referenceImagesMax = 9;
const referenceVideosMax = 3;
const referenceAudiosMax = 3;

/** Checks how the items go together and sorts them by role. Throws ArkError. */
export function checkContent(content: Content): { prompt: string; inputs: Input[] } {
  const prompt = content.flatMap((item) => (item.type === "text" ? [item.text] : [])).join("\n");
  const images = content.filter((item) => item.type === "image_url");
  const videos = content.filter((item) => item.type === "video_url");
  const audios = content.filter((item) => item.type === "audio_url");
  for (const { image_url } of images) checkImageUrl(image_url.url);
  for (const { video_url } of videos)
    checkUrl("video_url", video_url.url, /^(https?|asset):\/\/\S+$/);
  for (const { audio_url } of audios) {
    checkUrl("audio_url", audio_url.url, /^((https?|asset):\/\/\S+$|data:audio\/)/);
  }
  checkRoles(
    images.map(({ role }) => role),
    videos.length > 0 || audios.length > 0,
  );
  if (videos.length > referenceVideosMax) throw tooMany("video_url", referenceVideosMax);
  if (audios.length > referenceAudiosMax) throw tooMany("audio_url", referenceAudiosMax);
  if (audios.length > 0 && images.length + videos.length === 0) {
    throw invalidParameter("content", "audio needs at least one image or video beside it");
  }
  if (prompt.trim() === "" && images.length + videos.length === 0)
    throw missingParameter("content.text");
  return { prompt, inputs: content.flatMap(inputsOf) };
}

/** A single image without a role is the first frame. */
function inputsOf(item: Content[number]): Input[] {
  if (item.type === "image_url")
    return [{ role: item.role ?? "first_frame", url: item.image_url.url }];
  if (item.type === "video_url") return [{ role: "reference_video", url: item.video_url.url }];
  if (item.type === "audio_url") return [{ role: "reference_audio", url: item.audio_url.url }];
  return [];
}

type ImageRole = "first_frame" | "last_frame" | "reference_image" | undefined;

/** First frame, first and last frame, and references are three modes that do not mix. */
function checkRoles(roles: ImageRole[], hasOtherReferences: boolean) {
  const count = (role: ImageRole) => roles.filter((each) => each === role).length;
  const [firsts, lasts, references, bare] = [
    count("first_frame"),
    count("last_frame"),
    count("reference_image"),
    count(undefined),
  ];
  if (references > referenceImagesMax) throw tooMany("image_url", referenceImagesMax);
  if (bare > 0 && roles.length > 1) throw missingParameter("content.role");
  const frames = firsts + lasts + bare;
  if (frames > 0 && (references > 0 || hasOtherReferences)) {
    throw invalidParameter("content", "first or last frames cannot be mixed with reference media");
  }
  if (firsts > 1 || lasts > 1) throw invalidParameter("content", "each frame role may appear once");
  if (lasts === 1 && firsts === 0)
    throw invalidParameter("content", "last_frame needs first_frame");
}

function checkImageUrl(url: string) {
  if (url.trim() === "") {
    throw new ArkError("InvalidImageURL.EmptyURL", "The image URL is empty.", "image_url");
  }
  if (!/^((https?|asset):\/\/\S+$|data:image\/)/.test(url)) {
    const message = "The image URL is neither a web address, a data URI nor an asset.";
    throw new ArkError("InvalidImageURL.InvalidFormat", message, "image_url");
  }
}

function checkUrl(param: string, url: string, pattern: RegExp) {
  if (!pattern.test(url)) throw invalidParameter(`content.${param}`, "unusable URL");
}

function tooMany(param: string, max: number): ArkError {
  return invalidParameter(`content.${param}`, `at most ${max} items`);
}
