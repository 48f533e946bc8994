import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import {
  createHealth,
  type Health,
  observeParts,
  openServiceChecks,
  statusOfReport,
} from "../http/health.ts";
import { createAddressLimit } from "./limits/rate-limit.ts";

/** Per address, which may be shared by several probes. */
const readsPerMinuteMax = 1_200;

/**
 * `/health` and `/health/live` report that the process responds, `/health/ready` whether it can do its
 * work.
 */
export function serveHealth(app: FastifyInstance, ctx: Context): Health {
  const services = openServiceChecks(ctx);
  const health = createHealth(services.parts, services.close);
  const limit = createAddressLimit(readsPerMinuteMax, "health checks");
  const options = {
    config: { isPublic: true, counts: "nothing" as const }, // more of them than others, counted below
    schema: { hide: true },
    onRequest: async (request: FastifyRequest) => limit.charge(request),
  };
  for (const path of ["/health", "/health/live"])
    app.get(path, options, async () => ({ status: "ok" }));
  app.get("/health/ready", options, async (_request, reply) => {
    const report = await health.read();
    reply.header("Cache-Control", "no-store");
    return reply.code(statusOfReport(report)).send(report);
  });
  // Of a process with several shards, the first one's: the others must not take it out of service.
  const isDirectory = ctx.config.database.shard === 0;
  const stopObserving = isDirectory ? observeParts(ctx.metrics, health) : () => {};
  app.addHook("onClose", () => {
    stopObserving();
    return health.close();
  });
  return health;
}
