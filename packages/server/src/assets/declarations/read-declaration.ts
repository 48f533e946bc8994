import type { Caller } from "../../accounts/queries.ts";
import type { Context } from "../../context.ts";
import { ApiError } from "../../errors.ts";
import { signedUrl } from "../../media/storage/signed-link.ts";
import { findOwnAsset } from "../queries.ts";
import { findDeclaration } from "./queries.ts";

const linkMs = 60 * 60 * 1000;

/** Returns the owner's declaration about an asset. */
export async function readDeclaration(ctx: Context, caller: Caller, id: string) {
  const asset = await findOwnAsset(ctx.db, caller.id, id);
  if (asset === undefined) throw new ApiError("asset_not_found");
  const declaration = await findDeclaration(ctx.db, asset.id);
  if (declaration === undefined)
    throw new ApiError("asset_not_found", {
      message: { en: "This asset carries no declaration.", zh: "此素材没有附带声明。" },
    });
  const { people, purpose, formKey, formType, createdAt } = declaration;
  return {
    assetId: asset.id,
    people,
    purpose,
    formType,
    formUrl: formKey === null ? null : signedUrl(ctx.config.links, formKey, linkMs),
    declaredAt: createdAt.getTime(),
  };
}
