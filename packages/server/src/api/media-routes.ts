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

/** `?download` saves the file, `?download=NAME` under that name. */
const mediaQuery = signatureQuery.extend({ download: z.string().optional().catch(undefined) });

/** The headers that let a page of any site read an output whose link it has. */
const anyPage = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "Accept-Ranges, Content-Disposition, Content-Length, Content-Range, ETag",
  "Cross-Origin-Resource-Policy": "cross-origin",
};

/** Serves output links to everybody who has one. A private object needs a signed link. */
export function mediaRoutes(ctx: Context): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      `${mediaPath}/:key`,
      {
        config: { isPublic: true, counts: "refusals" },
        schema: { hide: true, params: z.object({ key: z.string() }), querystring: mediaQuery },
      },
      async (request, reply) => {
        const { key } = request.params;
        if (!isPrivateKey(key)) reply.headers(anyPage); // of refusals, too
        // A chunk is not a file yet: it is written but never served.
        if (!isObjectKey(key) || isChunkKey(key)) throw new ApiError("media_not_found");
        if (isPrivateKey(key) && !isSigned(ctx.config.links, key, request.query))
          throw new ApiError("media_link_invalid");
        const { download } = request.query;
        return sendObject(ctx.storage, request, reply, key, { download });
      },
    );
  };
}

/** Receives chunks for the disk driver: the signed link grants the upload of an exact number of bytes. */
export function chunkRoutes(ctx: Context): FastifyPluginAsyncZod {
  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (_request, _body, done) => done(null)); // read as a stream below
    app.put(
      `${uploadPath}/:key`,
      {
        config: { isPublic: true, counts: "refusals" },
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
          ctx.log.info({ event: "chunk.aborted", requestId: request.id });
          throw new ApiError("request_timeout"); // the client is gone
        });
        return reply.send();
      },
    );
  };
}

/** The client disconnected during the upload: not a server error. */
function isCut(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ECONNRESET";
}
