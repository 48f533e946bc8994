import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify, { type FastifyInstance } from "fastify";
import type { SandboxConfig } from "./config.ts";
import { openCallbacks } from "./kit/callbacks.ts";
import { controlRoutes } from "./kit/control-routes.ts";
import { createFaults } from "./kit/faults.ts";
import { registerImageVendors } from "./kit/image-vendors.ts";
import { openInputs } from "./kit/inputs.ts";
import { openJobStore } from "./kit/job-store.ts";
import { openJournal } from "./kit/journal.ts";
import { createReach, createReachBelow } from "./kit/reach.ts";
import { startSchedule } from "./kit/schedule.ts";
import { createVideoLinks, readLinkKey } from "./kit/video-links.ts";
import { registerVideoRoutes } from "./kit/video-routes.ts";
import { openVideoStore } from "./render/video/video-store.ts";
import { createArkBehaviour } from "./vendors/ark/job-behaviour.ts";
import { createArkLimits, noArkLimits } from "./vendors/ark/limits.ts";
import { arkRoutes } from "./vendors/ark/routes.ts";
import { openAssetLibrary } from "./vendors/ark-assets/asset-library.ts";
import {
  arkAssetsRoutes,
  assetFilesPath,
  registerAssetFiles,
} from "./vendors/ark-assets/routes.ts";
import { createDashScopeBehaviour } from "./vendors/dashscope/job-behaviour.ts";
import { createQueryLimit, dashScopeRoutes } from "./vendors/dashscope/routes.ts";
import { createFalBehaviour } from "./vendors/fal/job-behaviour.ts";
import { falRoutes } from "./vendors/fal/routes.ts";
import { falPrefix } from "./vendors/fal/submit-request.ts";

export interface Sandbox {
  /** The address for the vendors' calls and the control. */
  url: string;
  /** The address for the links to videos and assets. */
  linkUrl: string;
  /** The folder of the videos and the journal. */
  dir: string;
  /** Ends open connections, ffmpegs and timers. */
  stop(): Promise<void>;
}

/** Ark takes request bodies up to this size. */
const bodyBytesMax = 64 * 1024 * 1024;

/**
 * Starts the emulated vendors; jobs, assets and videos that `config.dir` has from before are there again.
 * `clock` counts the milliseconds of the rate limits and never goes back.
 */
export async function startSandbox(
  config: SandboxConfig,
  clock = () => performance.now(),
): Promise<Sandbox> {
  const dir = config.dir ?? mkdtempSync(join(tmpdir(), "zoetrope-sandbox-"));
  mkdirSync(dir, { recursive: true });
  let linkUrl = "";
  const parts = openParts(config, dir, () => config.publicUrl ?? linkUrl);
  const app = createApp();
  await registerVendors(app, parts, config, clock);
  const images = await registerImageVendors(app, {
    config,
    dir,
    clock,
    videos: parts.videos,
    faults: parts.faults,
    journal: parts.journal,
    schedule: parts.schedule,
    fetchInput: parts.fetchInput,
  });
  const { controlToken: token } = config;
  if (token !== undefined)
    await app.register(controlRoutes({ ...parts, images }, token), { prefix: "/_sandbox" });
  const linkApp = createLinkApp(parts);
  linkUrl = await linkApp.listen({ host: config.linkHost, port: config.linkPort });
  const url = await app.listen({ host: config.host, port: config.port });
  for (const kept of [...parts.books, parts.assets]) kept.resume();

  async function stop() {
    parts.schedule.stop();
    parts.stopping.abort();
    parts.callbacks.stop();
    const inside = [parts.videos.stop(), images.stop(), parts.assets.stop()];
    await Promise.all([...inside, app.close(), linkApp.close()]);
    for (const book of parts.books) book.close();
    parts.journal.close();
    if (config.dir === undefined) rmSync(dir, { recursive: true, force: true });
  }
  return { url, linkUrl, dir, stop };
}

type Parts = ReturnType<typeof openParts>;

/** Whatever lives as long as the sandbox; `baseUrl` is asked when a link is signed. */
function openParts(config: SandboxConfig, dir: string, baseUrl: () => string) {
  const journal = openJournal(config.logPath ?? join(dir, "sandbox.jsonl"));
  const schedule = startSchedule();
  const stopping = new AbortController();
  const videos = openVideoStore(dir, config.rendersMax, config.isDraft);
  const linkKey = readLinkKey(dir);
  const links = createVideoLinks(linkKey, baseUrl);
  const mayReach = createReach(config.serviceUrl);
  const { storageUrl } = config;
  const mayFollow = storageUrl === undefined ? undefined : createReachBelow(storageUrl);
  const fetchInput = openInputs({ mayReach, mayFollow, stopping: stopping.signal });
  const retryMs = config.callbackRetryMs;
  const callbacks = openCallbacks({ schedule, journal, retryMs, mayReach });
  const assets = openAssetLibrary({ dir, reviewMs: config.assetMs, schedule, journal, fetchInput });
  const assetLinks = createVideoLinks(linkKey, baseUrl, assetFilesPath);
  const numbers = { last: 0 };
  const lifeParts = { config, dir, schedule, journal, stopping: stopping.signal, numbers };
  const videoParts = { config, videos, links, fetchInput, stopping: stopping.signal };
  const arkParts = { ...videoParts, bytesOfAsset: assets.bytesOf };
  const ark = openJobStore(lifeParts, createArkBehaviour(arkParts, callbacks));
  const dashScope = openJobStore(lifeParts, createDashScopeBehaviour(videoParts));
  const fal = openJobStore(lifeParts, createFalBehaviour(videoParts));
  return {
    journal,
    schedule,
    stopping,
    videos,
    links,
    callbacks,
    assets,
    assetLinks,
    ark,
    dashScope,
    fal,
    books: [ark, dashScope, fal],
    fetchInput,
    faults: createFaults(),
    counts: { creates: 0 },
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
  await app.register(falRoutes({ ...parts, jobs: parts.fal }, config.falKey), {
    prefix: falPrefix,
  });
}

/** Creates the app that may be public: it serves links that the sandbox signed. */
function createLinkApp({ videos, links, assets, assetLinks }: Parts): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true, exposeHeadRoutes: false });
  app.addHook("onRequest", async ({ method }, reply) => {
    if (method !== "GET" && method !== "HEAD") await reply.code(404).send(); // no body is read
  });
  registerVideoRoutes(app, videos, links);
  registerAssetFiles(app, { library: assets, links: assetLinks });
  return app;
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
