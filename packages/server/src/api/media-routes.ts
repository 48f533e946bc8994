import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Context } from "../context.ts";
import { ApiError, invalid } from "../errors.ts";
import { sendObject } from "../http/send-object.ts";
import { isChunkKey } from "../media/storage/chunks.ts";
import { mediaPath } from "../media/storage/media-url.ts";
import { isSigned, signatureQuery } from "../media/storage/signed-link.ts";
import { isObjectKey, isPrivateKey } from "../media/storage/storage.ts";
import { isGranted, uploadPath } from "../media/storage/upload-link.ts";

const uploadLinkQuery = z.object({
  size: z.coerce.number().int(),
  expires: z.coerce.number().int(),
  signature: z.string(),
});

/** Output links: who has one may read. A private object needs one that is signed. */
export function mediaRoutes(ctx: Context): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      `${mediaPath}/:key`,
      {
        config: { isPublic: true },
        schema: { hide: true, params: z.object({ key: z.string() }), querystring: signatureQuery },
      },
      async (request, reply) => {
        const { key } = request.params;
        // A chunk is nobody's file yet: it comes in and does not go out.
        if (!isObjectKey(key) || isChunkKey(key)) throw new ApiError("media_not_found");
        if (isPrivateKey(key) && !isSigned(ctx.config.links, key, request.query))
          throw new ApiError("media_link_invalid");
        return sendObject(ctx.storage, request, reply, key);
      },
    );
  };
}

/** Where the folder driver's upload links lead: the link is the right, and says how many bytes. */
export function chunkRoutes(ctx: Context): FastifyPluginAsyncZod {
  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (_request, _body, done) => done(null)); // read as a stream below
    app.put(
      `${uploadPath}/:key`,
      {
        config: { isPublic: true },
        schema: {
          hide: true,
          params: z.object({ key: z.string() }),
          querystring: uploadLinkQuery,
        },
      },
      async (request, reply) => {
        const { receiveChunk } = ctx.storage;
        if (receiveChunk === null) throw new ApiError("not_found");
        const { size: sizeBytes, expires: expiresAt, signature } = request.query;
        const grant = { key: request.params.key, sizeBytes, expiresAt };
        if (!isGranted(ctx.config.links.secret, grant, signature))
          throw new ApiError("upload_link_invalid");
        if (Number(request.headers["content-length"]) !== sizeBytes)
          throw invalid("content-length", `must be ${sizeBytes}, the size of this chunk`);
        await receiveChunk(grant.key, request.raw, sizeBytes).catch((error) => {
          if (!isCut(error)) throw error;
          ctx.log.info({ event: "chunk.cut", requestId: request.id });
          throw new ApiError("request_timeout"); // nobody hears it
        });
        return reply.send();
      },
    );
  };
}

/** The sender went away in the middle: no fault of ours. */
function isCut(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ECONNRESET";
}
