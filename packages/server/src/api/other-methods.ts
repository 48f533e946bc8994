import type { FastifyInstance, HTTPMethods } from "fastify";
import { ApiError } from "../errors.ts";

/**
 * Records every route registered from here on. The returned function responds to unsupported methods of a
 * known path with 405 and an `Allow` header; the framework would respond with 404.
 */
export function collectAddresses(app: FastifyInstance): () => void {
  const addresses = new Set<string>();
  app.addHook("onRoute", ({ url }) => {
    addresses.add(url);
  });
  return () => {
    const methods = app.supportedMethods as HTTPMethods[];
    for (const url of [...addresses]) {
      const taken = methods.filter((method) => app.hasRoute({ url, method }));
      app.route({
        url,
        method: methods.filter((method) => !taken.includes(method)),
        config: { isPublic: true, counts: "nothing" },
        schema: { hide: true },
        onRequest: async (_request, reply) => {
          reply.header("Allow", taken.join(", "));
          throw new ApiError("method_not_allowed");
        },
        handler: () => {},
      });
    }
  };
}
