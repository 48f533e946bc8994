import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { createAddressLimit } from "./rate-limit.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * The requests of a public route that count against the client's address. Omitted: all of them.
     * `refusals`: only those that the route refuses. `nothing`: none, since the route has its own limit or
     * costs nothing.
     */
    counts?: "refusals" | "nothing";
  }
  interface FastifyRequest {
    /** Whether the request was refused although the response does not say so. */
    isForged?: true;
  }
}

/** The maximum body size of a request without a key or a session. */
const bodyBytesMax = 4 * 1024;

/**
 * Limits what strangers cost: the requests of an address to each public route are counted before their body
 * is read, and their bodies are small. A route that needs more says so by name: forgetting it limits it.
 */
export function limitStrangers(app: FastifyInstance, { config }: Context): void {
  const { documentsPerMinuteMax, failedAuthenticationsPerMinuteMax } = config.api;
  const requests = createAddressLimit(documentsPerMinuteMax, "requests");
  const refusals = createAddressLimit(failedAuthenticationsPerMinuteMax, "requests that fail");
  const nameOf = ({ routeOptions }: FastifyRequest) => routeOptions.url ?? "";

  app.addHook("onRoute", (route) => {
    if (route.config?.isPublic) route.bodyLimit ??= bodyBytesMax;
  });
  app.addHook("onRequest", (request, _reply, done) => {
    const { isPublic, counts } = request.routeOptions.config;
    if (isPublic && counts === undefined) requests.charge(request, nameOf(request));
    if (isPublic && counts === "refusals") refusals.check(request, nameOf(request));
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const { isPublic, counts } = request.routeOptions.config;
    const { statusCode } = reply;
    const isRefused = request.isForged || (statusCode >= 400 && statusCode < 500);
    if (isPublic && counts === "refusals" && isRefused) refusals.note(request, nameOf(request));
    done();
  });
}
