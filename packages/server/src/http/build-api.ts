import { randomUUID } from "node:crypto";
import Fastify from "fastify";
import { serializerCompiler, type ZodTypeProvider } from "fastify-type-provider-zod";
import { accountRoutes } from "../accounts/routes.ts";
import type { Context } from "../context.ts";
import { ApiError } from "../errors.ts";
import { generationRoutes } from "../generation/routes.ts";
import { mediaRoutes } from "../media/routes.ts";
import { authenticate } from "./authenticate.ts";
import { renderError } from "./render-error.ts";
import { validate } from "./validate.ts";

const bodyBytesMax = 256 * 1024;
const requestMsMax = 30_000;

/** The front door: every route, and what all of them share. */
export async function buildApi(ctx: Context) {
  const app = Fastify({
    bodyLimit: bodyBytesMax,
    requestTimeout: requestMsMax,
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: "idle",
  }).withTypeProvider<ZodTypeProvider>();
  app.removeContentTypeParser("text/plain"); // bodies are JSON
  app.setValidatorCompiler(validate);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(renderError(ctx));
  app.setNotFoundHandler(() => {
    throw new ApiError("not_found");
  });
  app.addHook("onRequest", async (request, reply) => {
    reply.header("X-Request-Id", request.id);
  });
  app.addHook("onRequest", authenticate(ctx));
  app.addHook("onResponse", async (request, reply) => {
    ctx.log.info({
      event: "request.completed",
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? null, // never the URL itself: it can carry a token
      status: reply.statusCode,
      accountId: request.account?.id ?? null,
      durationMs: Math.round(reply.elapsedTime),
    });
  });
  app.get("/health", { config: { isPublic: true } }, async () => ({ status: "ok" }));
  await app.register(generationRoutes(ctx));
  await app.register(accountRoutes(ctx));
  await app.register(mediaRoutes(ctx));
  return app;
}
