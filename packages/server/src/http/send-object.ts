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

/** Answers with an object's bytes, or with a short-lived link to them where the storage gives one. */
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

/** Whoever ends early ends both: the reader the file, and the file the answer. */
function passing(file: Readable): Readable {
  return pipeline(file, freeBuffers(), () => {});
}
