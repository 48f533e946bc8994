import { send } from "@fastify/send";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Context } from "../context.ts";
import { ApiError } from "../errors.ts";
import { mediaPath } from "./media-url.ts";
import { attachmentOf, contentTypeOf, isObjectKey } from "./storage.ts";

/** Output links: who has one may read. With S3 they lead straight to the store. */
export function mediaRoutes(ctx: Context): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      `${mediaPath}/:key`,
      { config: { isPublic: true }, schema: { hide: true, params: z.object({ key: z.string() }) } },
      async (request, reply) => {
        const { key } = request.params;
        const location = isObjectKey(key) ? await ctx.storage.locate(key) : null;
        if (location === null) throw new ApiError("media_not_found");
        reply.header("X-Content-Type-Options", "nosniff");
        if (location.kind === "link") return reply.redirect(location.url, 302);
        const { statusCode, headers, stream } = await send(request.raw, location.path, {
          root: location.root,
        });
        reply.code(statusCode).headers(headers).type(contentTypeOf(key));
        return reply.header("Content-Disposition", attachmentOf(key)).send(stream);
      },
    );
  };
}
