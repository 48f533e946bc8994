import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify, { type FastifyInstance } from "fastify";
import type { SandboxConfig } from "./config.ts";
import { openCallbacks } from "./kit/callbacks.ts";
import { controlRoutes } from "./kit/control-routes.ts";
import { createFaults } from "./kit/faults.ts";
import { registerImageVendors } from "./kit/image-vendors.ts";
import { openJobStore } from "./kit/job-store.ts";
import { openJournal } from "./kit/journal.ts";
import { startSchedule } from "./kit/schedule.ts";
import { createVideoLinks } from "./render/video/video-links.ts";
import { registerVideoRoutes } from "./render/video/video-routes.ts";
import { openVideoStore } from "./render/video/video-store.ts";
import { createArkBehaviour } from "./vendors/ark/job-behaviour.ts";
import { createArkLimits, noArkLimits } from "./vendors/ark/limits.ts";
import { arkRoutes } from "./vendors/ark/routes.ts";
import { openAssetLibrary } from "./vendors/ark-assets/asset-library.ts";
import { arkAssetsRoutes } from "./vendors/ark-assets/routes.ts";
import { createDashScopeBehaviour } from "./vendors/dashscope/job-behaviour.ts";
import { createQueryLimit, dashScopeRoutes } from "./vendors/dashscope/routes.ts";
import { createFalBehaviour } from "./vendors/fal/job-behaviour.ts";
import { falRoutes } from "./vendors/fal/routes.ts";

export interface Sandbox {
  url: string;
  /** Where videos and the journal are. */
  dir: string;
  /** Ends open connections, ffmpegs and timers. */
  stop(): Promise<void>;
}

/** Ark takes request bodies up to this size. */
const bodyBytesMax = 64 * 1024 * 1024;

/**
 * Starts the emulated vendor; all its state but the videos lives in this process. `clock` counts the
 * milliseconds of the rate limits and never goes back.
 */
export async function startSandbox(
  config: SandboxConfig,
  clock = () => performance.now(),
): Promise<Sandbox> {
  const dir = config.dir ?? mkdtempSync(join(tmpdir(), "zoetrope-sandbox-"));
  mkdirSync(dir, { recursive: true });
  let url = "";
  const parts = openParts(config, dir, () => config.publicUrl ?? url);
  const app = createApp();
  await registerVendors(app, parts, config, clock);
  const images = await registerImageVendors(app, {
    ...{ config, dir, clock, videos: parts.videos, faults: parts.faults },
    ...{ journal: parts.journal, schedule: parts.schedule, stopping: parts.stopping.signal },
  });
  await app.register(controlRoutes({ ...parts, images }), { prefix: "/_sandbox" });
  registerVideoRoutes(app, parts.videos, parts.links);
  url = await app.listen({ host: config.host, port: config.port });

  async function stop() {
    parts.schedule.stop();
    parts.stopping.abort();
    parts.callbacks.stop();
    await Promise.all([parts.videos.stop(), images.stop(), parts.assets.stop(), app.close()]);
    parts.journal.close();
    if (config.dir === undefined) rmSync(dir, { recursive: true, force: true });
  }
  return { url, dir, stop };
}

type Parts = ReturnType<typeof openParts>;

/** Whatever lives as long as the sandbox; `baseUrl` is asked when a link is signed. */
function openParts(config: SandboxConfig, dir: string, baseUrl: () => string) {
  const journal = openJournal(config.logPath ?? join(dir, "sandbox.jsonl"));
  const schedule = startSchedule();
  const stopping = new AbortController();
  const videos = openVideoStore(dir, config.rendersMax, config.isDraft);
  const links = createVideoLinks(baseUrl);
  const callbacks = openCallbacks(schedule, journal, config.callbackRetryMs);
  const assets = openAssetLibrary({ dir, reviewMs: config.assetMs, schedule, journal });
  const assetLinks = createVideoLinks(baseUrl, "/ark-assets/files");
  const numbers = { last: 0 };
  const nextNumber = () => ++numbers.last;
  const lifeParts = { config, schedule, journal, stopping: stopping.signal, nextNumber };
  const videoParts = { config, videos, links, stopping: stopping.signal };
  const arkParts = { ...videoParts, bytesOfAsset: assets.bytesOf };
  const ark = openJobStore(lifeParts, createArkBehaviour(arkParts, callbacks));
  const dashScope = openJobStore(lifeParts, createDashScopeBehaviour(videoParts));
  const fal = openJobStore(lifeParts, createFalBehaviour(videoParts));
  return {
    ...{ journal, schedule, stopping, videos, links, callbacks, assets, assetLinks },
    ...{ ark, dashScope, fal, books: [ark, dashScope, fal], baseUrl },
    ...{ faults: createFaults(), counts: { creates: 0 } },
    arkKeys: { accepted: [config.arkKey] },
  };
}

async function registerVendors(
  app: FastifyInstance,
  parts: Parts,
  config: SandboxConfig,
  clock: () => number,
) {
  const { assets, assetLinks, faults } = parts;
  const limits = config.rateLimits ? createArkLimits(clock) : noArkLimits;
  const arkParts = { ...parts, jobs: parts.ark, limits, lookUpAsset: assets.lookUp };
  await app.register(arkRoutes(arkParts, parts.arkKeys), { prefix: "/api/v3" });
  const libraryParts = { library: assets, links: assetLinks, faults };
  await app.register(arkAssetsRoutes(libraryParts, config), { prefix: "/ark-assets" });
  const queries = config.rateLimits ? createQueryLimit(clock) : undefined;
  const dashScopeParts = { ...parts, jobs: parts.dashScope };
  await app.register(dashScopeRoutes(dashScopeParts, config.dashScopeKey, queries), {
    prefix: "/dashscope/api/v1",
  });
  const falPrefix = "/fal";
  const falParts = { ...parts, jobs: parts.fal, baseUrl: () => parts.baseUrl() + falPrefix };
  await app.register(falRoutes(falParts, config.falKey), { prefix: falPrefix });
}

function createApp(): FastifyInstance {
  const app = Fastify({
    bodyLimit: bodyBytesMax,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
  });
  // whatever a body calls itself, Ark reads it as JSON; DELETE may come with an empty one
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => {
    try {
      done(null, body === "" ? undefined : JSON.parse(String(body)));
    } catch {
      done(Object.assign(new Error("the body is not JSON"), { statusCode: 400 }));
    }
  });
  return app;
}
