import type { FastifyInstance } from "fastify";
import type { SandboxConfig } from "./config.ts";
import type { FilmStore } from "./film/film-store.ts";
import { geminiRoutes } from "./gemini/routes.ts";
import { openaiRoutes } from "./openai/routes.ts";
import { openPictureStore } from "./picture/picture-store.ts";
import type { OrderParts } from "./picture/take-order.ts";
import { createRateLimit } from "./rate-limit.ts";

const ordersPerMinute = 60;

interface Parts extends Pick<OrderParts, "faults" | "journal" | "schedule" | "stopping"> {
  config: SandboxConfig;
  dir: string;
  films: FilmStore;
  clock: () => number;
}

/** Registers the two vendors whose answer is the picture itself. */
export async function registerPictureVendors(app: FastifyInstance, parts: Parts) {
  const { config, dir, films, clock, ...common } = parts;
  const counts = { creates: 0, accepted: 0 };
  const pictures = openPictureStore(dir, films.inFirstTurn);
  const order: OrderParts = { ...common, pictures, counts, pictureMs: config.pictureMs };
  const limit = () =>
    config.rateLimits ? createRateLimit(ordersPerMinute, 60_000, clock) : undefined;
  await app.register(openaiRoutes(order, config.openaiKey, limit()), { prefix: "/openai/v1" });
  await app.register(geminiRoutes(order, config.geminiKey, limit()), { prefix: "/gemini/v1beta" });
  return {
    stats: () => ({ ...counts, ...pictures.stats() }),
    stop: () => pictures.stop(),
  };
}
