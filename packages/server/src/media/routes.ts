import { pipeline, type Readable } from "node:stream";
import { send } from "@fastify/send";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Context } from "../context.ts";
import { ApiError, invalid } from "../errors.ts";
import { freeBuffers } from "./free-buffers.ts";
import { isChunkKey } from "./storage/chunks.ts";
import { mediaPath } from "./storage/media-url.ts";
import { isSigned, signatureQuery } from "./storage/signed-link.ts";
import {
  attachmentOf,
  contentTypeOf,
  isObjectKey,
  isPrivateKey,
  privateCache,
} from "./storage/storage.ts";
import { isGranted, uploadPath } from "./storage/upload-link.ts";

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
        if (isPrivateKey(key) && !isSigned(ctx.config, key, request.query))
          throw new ApiError("media_link_invalid");
        return sendObject(ctx, request, reply, key);
      },
    );
  };
}

/** Answers with an object's bytes, or with a short-lived link to them where the storage gives one. */
export async function sendObject(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
): Promise<FastifyReply> {
  const location = await ctx.storage.locate(key, request.method === "HEAD" ? "HEAD" : "GET");
  if (location === null) throw new ApiError("media_not_found");
  reply.header("X-Content-Type-Options", "nosniff");
  const cache = isPrivateKey(key) ? { "Cache-Control": privateCache } : {};
  if (location.kind === "link") return reply.headers(cache).redirect(location.url, 302);
  const { statusCode, headers, stream } = await send(request.raw, location.path, {
    root: location.root,
  });
  reply
    .code(statusCode)
    .headers({ ...headers, ...cache })
    .type(contentTypeOf(key));
  return reply.header("Content-Disposition", attachmentOf(key)).send(passing(stream));
}

/** Whoever ends early ends both: the reader the file, and the file the answer. */
function passing(file: Readable): Readable {
  return pipeline(file, freeBuffers(), () => {});
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
        if (!isGranted(ctx.config.VENDOR_CALLBACK_SECRET, grant, signature))
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
