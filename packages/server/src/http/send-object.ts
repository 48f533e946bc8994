import { pipeline, type Readable } from "node:stream";
import { send } from "@fastify/send";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../errors.ts";
import { freeBuffers } from "../media/free-buffers.ts";
import {
  attachmentOf,
  contentTypeOf,
  isPrivateKey,
  privateCache,
  type Storage,
} from "../media/storage/storage.ts";

/** Responds with the bytes of an object, or with a redirect to a short-lived link of the storage. */
export async function sendObject(
  storage: Storage,
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
): Promise<FastifyReply> {
  const location = await storage.locate(key, request.method === "HEAD" ? "HEAD" : "GET");
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

/** Either side ends both: a client that disconnects closes the file, and a failing file ends the response. */
function passing(file: Readable): Readable {
  return pipeline(file, freeBuffers(), () => {});
}
