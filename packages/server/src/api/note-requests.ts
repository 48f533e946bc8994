import type { onResponseHookHandler } from "fastify";
import type { Context } from "../context.ts";

/** One log line and two metrics per request; of a refusal for want of room, the metrics alone. */
export function noteRequests({ log, metrics }: Context): onResponseHookHandler {
  return (request, reply, done) => {
    if (request.isElsewhere) return done();
    const { url } = request.routeOptions; // never the URL itself: it can carry a token
    const route = url ?? "none";
    metrics.requests.add({ route, status: String(reply.statusCode) });
    metrics.requestSeconds.record(reply.elapsedTime / 1000, { route });
    if (request.isCrowdedOut) return done();
    const isProbe = route.startsWith("/health") && reply.statusCode < 400; // several a second, all alike
    log[isProbe ? "debug" : "info"]({
      event: "request.completed",
      requestId: request.id,
      method: request.method,
      route: url ?? null,
      status: reply.statusCode,
      accountId: request.caller?.id ?? null,
      durationMs: Math.round(reply.elapsedTime),
    });
    done();
  };
}
