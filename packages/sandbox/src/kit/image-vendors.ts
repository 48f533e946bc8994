import type { FastifyInstance } from "fastify";
import type { SandboxConfig } from "../config.ts";
import { openImageStore } from "../render/image/image-store.ts";
import type { VideoStore } from "../render/video/video-store.ts";
import { geminiRoutes } from "../vendors/gemini/routes.ts";
import { openaiRoutes } from "../vendors/openai/routes.ts";
import type { ImageParts } from "./image-handler.ts";
import { createRateLimit } from "./rate-limit.ts";

const requestsPerMinute = 60;

interface Parts extends Pick<ImageParts, "faults" | "journal" | "schedule" | "fetchInput"> {
  config: SandboxConfig;
  dir: string;
  videos: VideoStore;
  clock: () => number;
}

/** Registers the two vendors whose response is the image itself. */
export async function registerImageVendors(app: FastifyInstance, parts: Parts) {
  const { config, dir, videos, clock, ...common } = parts;
  const counts = { creates: 0, accepted: 0 };
  const images = openImageStore(dir, videos.inFirstTurn);
  const imageParts: ImageParts = { ...common, images, counts, imageMs: config.imageMs };
  const limit = () =>
    config.rateLimits ? createRateLimit(requestsPerMinute, 60_000, clock) : undefined;
  await app.register(openaiRoutes(imageParts, config.openaiKey, limit()), { prefix: "/openai/v1" });
  await app.register(geminiRoutes(imageParts, config.geminiKey, limit()), {
    prefix: "/gemini/v1beta",
  });
  return {
    stats: () => ({ ...counts, ...images.stats() }),
    stop: () => images.stop(),
  };
}
