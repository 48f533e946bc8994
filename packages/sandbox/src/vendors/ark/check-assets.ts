import { isAsset } from "../../kit/inputs.ts";
import type { Input, InputRole } from "./content.ts";
import { type ArkError, invalidParameter } from "./errors.ts";

/** Finds a registered asset. */
export type LookUpAsset = (
  id: string,
) => { type: "Image" | "Video" | "Audio"; status: string } | undefined;

/**
 * Checks that an asset of the library has passed its review and is of the kind that its role needs.
 * The code is assumed, because none is documented. Ids that the library does not know pass: they
 * stand for images of the caller. Throws ArkError.
 */
export function checkAssets(inputs: readonly Input[], lookUp: LookUpAsset) {
  for (const { role, url } of inputs) {
    const id = url.slice("asset://".length);
    const asset = isAsset(url) ? lookUp(id) : undefined;
    if (!asset) continue;
    const { type, param } = needs(role);
    if (asset.status !== "Active") throw unusable(param, id, `is ${asset.status}, not Active`);
    if (asset.type !== type) throw unusable(param, id, `is of type ${asset.type}, not ${type}`);
  }
}

function needs(role: InputRole) {
  if (role === "reference_video") return { type: "Video", param: "content.video_url" };
  if (role === "reference_audio") return { type: "Audio", param: "content.audio_url" };
  return { type: "Image", param: "content.image_url" };
}

function unusable(param: string, id: string, why: string): ArkError {
  return invalidParameter(param, `the asset ${id} ${why}`);
}
