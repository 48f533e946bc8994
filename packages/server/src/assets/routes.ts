import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Context } from "../context.ts";
import { ApiError } from "../errors.ts";
import { refusals } from "../http/error-answers.ts";
import { sendObject } from "../http/send-object.ts";
import { isSigned, signatureQuery } from "../media/storage/signed-link.ts";
import { assetsPath, isAddress, pathOfAsset } from "./address.ts";
import { readDeclaration } from "./declarations/read-declaration.ts";
import { declarationAnswer } from "./declarations/schema.ts";
import { deleteAsset } from "./delete-asset.ts";
import { findServed } from "./queries.ts";
import { readAsset, readAssets } from "./read-assets.ts";
import {
  assetAnswer,
  assetPage,
  deleteAnswer,
  listQuery,
  statusQuery,
  uploadBody,
} from "./schema.ts";
import { uploadAsset } from "./upload-asset.ts";
import { completeUpload } from "./uploads/complete-upload.ts";
import { createUpload } from "./uploads/create-upload.ts";
import { readUpload } from "./uploads/read-upload.ts";
import {
  completeUploadBody,
  createUploadBody,
  uploadAnswer,
  uploadQuery,
} from "./uploads/schema.ts";

export function assetRoutes(ctx: Context): FastifyPluginAsyncZod {
  return async (app) => {
    await app.register(storedAssetRoutes(ctx));
    app.post(
      "/api/v1/assets/upload",
      {
        config: { scope: "assets", locksAccount: true },
        schema: {
          operationId: "uploadAsset",
          summary: "Upload a file by URL",
          description:
            "Adds a file to the account's library and responds at once; the file is fetched, stored and reviewed afterwards. Use the asset as `asset://<upstreamAssetId>` in the inputs of the models in `usableBy`. A file without a public URL is sent with a direct upload instead.",
          tags: ["assets"],
          body: uploadBody,
          response: { 200: assetAnswer, ...refusals(400, 401, 403, 413, 415, 429, 500, 503) },
        },
      },
      (request) => uploadAsset(ctx, request.caller, request.body),
    );

    app.get(
      "/api/v1/assets/status",
      {
        config: { scope: "assets" },
        schema: {
          operationId: "readAsset",
          summary: "Read an asset",
          description:
            "An asset by either of its ids. For one in PROCESSING its review is checked, at most once a second, and awaited for up to 2.5 s. Webhook endpoints are notified of the end of a review as `asset.reviewed`.",
          tags: ["assets"],
          querystring: statusQuery,
          response: { 200: assetAnswer, ...refusals(400, 401, 404, 429, 500) },
        },
      },
      (request) => readAsset(ctx, request.caller, request.query.assetId),
    );

    app.get(
      "/api/v1/assets/list",
      {
        config: { scope: "assets" },
        schema: {
          operationId: "listAssets",
          summary: "List assets, newest first",
          description: "The account's library, optionally filtered by type, status or name.",
          tags: ["assets"],
          querystring: listQuery,
          response: { 200: assetPage, ...refusals(400, 401, 429, 500) },
        },
      },
      (request) => readAssets(ctx, request.caller, request.query),
    );

    app.get(
      "/api/v1/assets/declaration",
      {
        config: { scope: "assets" },
        schema: {
          operationId: "readDeclaration",
          summary: "Read what was declared about the people in an asset",
          description:
            "What was declared with the upload of the asset, and a signed link to the form. A declaration cannot be changed: upload the file again with `reuse: false`.",
          tags: ["assets"],
          querystring: statusQuery,
          response: { 200: declarationAnswer, ...refusals(400, 401, 404, 429, 500) },
        },
      },
      (request) => readDeclaration(ctx, request.caller, request.query.assetId),
    );

    app.delete(
      "/api/v1/assets",
      {
        config: { scope: "assets" },
        schema: {
          operationId: "deleteAsset",
          summary: "Delete an asset and its stored copy",
          description:
            "From then on the asset is unknown everywhere, and what was declared about the people in it is removed too. While a running task uses it, the response is a 409 with code `asset_in_use`.",
          tags: ["assets"],
          querystring: statusQuery,
          response: { 200: deleteAnswer, ...refusals(400, 401, 404, 409, 429, 500) },
        },
      },
      (request) => deleteAsset(ctx, request.caller, request.query.assetId),
    );
  };
}

/** Serves a storageUrl: the copy of a reviewed asset, or of one in review with its owner's signed link. */
function storedAssetRoutes(ctx: Context): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      `${assetsPath}/:address`,
      {
        config: { isPublic: true, counts: "refusals" },
        schema: {
          hide: true,
          params: z.object({ address: z.string() }),
          querystring: signatureQuery,
        },
      },
      async (request, reply) => {
        const { address } = request.params;
        const asset = isAddress(address) ? await findServed(ctx.db, address) : undefined;
        if (!asset?.storageKey || asset.status === "FAILED") throw new ApiError("media_not_found");
        const isOpen = asset.status === "ACTIVE" || asset.status === "NONE";
        if (!isOpen && !isSigned(ctx.config.links, pathOfAsset(address), request.query))
          throw new ApiError("media_link_invalid");
        return sendObject(ctx.storage, request, reply, asset.storageKey);
      },
    );
  };
}

export function uploadRoutes(ctx: Context): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      "/api/v1/assets/uploads",
      {
        config: { scope: "assets", locksAccount: true },
        schema: {
          operationId: "createUpload",
          summary: "Create a direct upload",
          description:
            "Begins the upload of a file without a public URL: PUT each chunk to its link, in any order, then complete the upload. An upload that was interrupted is read again, and only the missing chunks are sent. With `sha256`, a file that the account already has is not sent again.",
          tags: ["assets"],
          body: createUploadBody,
          response: { 200: uploadAnswer, ...refusals(400, 401, 403, 413, 415, 429, 500, 503) },
        },
      },
      (request) => createUpload(ctx, request.caller, request.body),
    );

    app.get(
      "/api/v1/assets/uploads",
      {
        config: { scope: "assets" },
        schema: {
          operationId: "readUpload",
          summary: "Read an upload",
          description:
            "The chunks that are still missing, with new links to them. An upload can be resumed until `expiresAt`.",
          tags: ["assets"],
          querystring: uploadQuery,
          response: { 200: uploadAnswer, ...refusals(400, 401, 404, 429, 500) },
        },
      },
      (request) => readUpload(ctx, request.caller, request.query.uploadId),
    );

    app.post(
      "/api/v1/assets/uploads/complete",
      {
        config: { scope: "assets", locksAccount: true },
        schema: {
          operationId: "completeUpload",
          summary: "Complete an upload",
          description:
            "Creates an asset from the chunks, which is then stored and reviewed like any other. While chunks are missing it is a 400 that names them. Repeating the request returns the same asset.",
          tags: ["assets"],
          body: completeUploadBody,
          response: { 200: assetAnswer, ...refusals(400, 401, 404, 413, 415, 429, 500, 503) },
        },
      },
      (request) => completeUpload(ctx, request.caller, request.body),
    );
  };
}
