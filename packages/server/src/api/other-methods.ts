import type { FastifyInstance, HTTPMethods } from "fastify";
import { ApiError } from "../errors.ts";

/**
 * Remembers every address from here on. The function it returns makes the methods that an address
 * does not take a 405 that lists those it does; without it the framework would say 404.
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
        config: { isPublic: true },
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
