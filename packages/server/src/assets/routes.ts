import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { Context } from "../context.ts";
import { refusals } from "../error-answers.ts";
import { readAsset, readAssets } from "./read-assets.ts";
import { assetAnswer, assetPage, listQuery, statusQuery, uploadBody } from "./schema.ts";
import { uploadAsset } from "./upload-asset.ts";

export function assetRoutes(ctx: Context): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      "/api/v1/assets/upload",
      {
        schema: {
          operationId: "uploadAsset",
          summary: "Take a file into the library",
          tags: ["assets"],
          body: uploadBody,
          response: { 200: assetAnswer, ...refusals(400, 401, 413, 415, 429, 500) },
        },
      },
      (request) => uploadAsset(ctx, request.caller, request.body),
    );

    app.get(
      "/api/v1/assets/status",
      {
        schema: {
          operationId: "readAsset",
          summary: "Read an asset",
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
        schema: {
          operationId: "listAssets",
          summary: "Your assets, newest first",
          tags: ["assets"],
          querystring: listQuery,
          response: { 200: assetPage, ...refusals(400, 401, 429, 500) },
        },
      },
      (request) => readAssets(ctx, request.caller, request.query),
    );
  };
}
