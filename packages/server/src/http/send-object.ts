import { pipeline, type Readable } from "node:stream";
import { send } from "@fastify/send";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../errors.ts";
import { freeBuffers } from "../media/free-buffers.ts";
import { contentTypeOf, deliveryOf, isPrivateKey, type Storage } from "../media/storage/storage.ts";

/** A page that shows the file runs nothing and loads nothing else. */
const filePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
/** Less than a link of the storage is valid. */
const redirectCache = "private, max-age=300";

interface SendOptions {
  /** The validity of a link of the storage, if shorter than usual. */
  linkSeconds?: number;
  /** The name under which the reader saves the file; `""`: ours. Undefined: it is displayed. */
  download?: string | undefined;
}

/** Responds with the bytes of an object, or with a redirect to a short-lived link of the storage. */
export async function sendObject(
  storage: Storage,
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
  { linkSeconds, download }: SendOptions = {},
): Promise<FastifyReply> {
  const delivery = deliveryOf(key, download);
  const location = await storage.locate(
    key,
    request.method === "HEAD" ? "HEAD" : "GET",
    linkSeconds,
    delivery,
  );
  if (location === null) throw new ApiError("media_not_found");
  const { disposition, cacheControl } = delivery;
  reply.header("X-Content-Type-Options", "nosniff");
  if (location.kind === "link")
    return reply
      .header("Cache-Control", isPrivateKey(key) ? cacheControl : redirectCache)
      .redirect(location.url, 302);
  const { statusCode, headers, stream } = await send(request.raw, location.path, {
    root: location.root,
  });
  return reply
    .code(statusCode)
    .headers({
      ...headers,
      "cache-control": cacheControl,
      "content-disposition": disposition,
      "content-security-policy": filePolicy,
    })
    .type(contentTypeOf(key))
    .send(passing(stream));
}

/** Either side ends both: a client that disconnects closes the file, and a failing file ends the response. */
function passing(file: Readable): Readable {
  return pipeline(file, freeBuffers(), () => {});
}
