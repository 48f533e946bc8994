import { once } from "node:events";
import { rm } from "node:fs/promises";
import { createServer, type Http2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import { createEndpointHandler } from "@restatedev/restate-sdk";
import { assetObject } from "../assets/asset-object.ts";
import { createLoops, type Loops } from "../flow/loop.ts";
import type { GenerationContext } from "../generation/context.ts";
import { generationObject } from "../generation/generation-object.ts";
import { trySigner } from "../labels/require-signer.ts";
import { upscaleObject } from "../upscale/upscale-object.ts";
import { openPath } from "../verify/schema.ts";
import { createOpener } from "../verify/serve-opener.ts";
import { canaryObject } from "./canary-object.ts";
import type { WorkerContext } from "./context.ts";
import { describeSdkLine } from "./describe-sdk-line.ts";
import { repeatableMsMax } from "./drain-ms-max.ts";
import { startHealthServer } from "./health-server.ts";
import { keepWorkDir, openWorkDir, workDirEveryMs } from "./keep-work-dir.ts";
import { observeWorker } from "./observe-worker.ts";
import { registerWorker } from "./register-worker.ts";
import { requireConfinement } from "./require-confinement.ts";
import { runLoops } from "./run-loops.ts";

interface RunningWorker {
  port: number;
  /** The last success of each loop. */
  loops: Loops;
  healthPort: number;
  stop(): Promise<void>;
}

/**
 * Serves the durable objects to the engine, opens files for the api, and runs the loops that need no engine: sweep, pollers,
 * deliveries, segments.
 */
export async function startWorker(ctx: WorkerContext): Promise<RunningWorker> {
  const { config, log } = ctx;
  await requireConfinement(ctx);
  await openWorkDir(ctx);
  await trySigner(ctx);
  const services = [generationObject(ctx), upscaleObject(ctx), assetObject(ctx), canaryObject(ctx)];
  const serviceNames = services.map(({ name }) => name);
  const serveEngine = createEndpointHandler({
    services,
    defaultServiceOptions: await loadHooks(ctx),
    identityKeys: config.engine.identityKey === null ? [] : [config.engine.identityKey],
    logger: (meta, ...details) => {
      if (meta.level === "warn" || meta.level === "error")
        log.warn({ event: "engine.sdk", ...describeSdkLine(details) });
    },
  });
  const serveApi = createOpener(ctx);
  const server = createServer((request, response) => {
    if (request.url === openPath) void serveApi(request, response);
    else serveEngine(request, response);
  });
  const sessions = new Set<Http2Session>();
  server.on("session", (session) => {
    sessions.add(session);
    session.on("close", () => sessions.delete(session));
  });
  server.listen(config.worker.port, config.worker.host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  const stopping = new AbortController();
  const stop = stopping.signal;
  const loops = createLoops({ stop, log });
  observeWorker(ctx, loops);
  const health = await startHealthServer(ctx, loops);
  const running = [registerWorker(ctx, serviceNames, loops, stop), ...runLoops(ctx, loops, stop)];
  running.push(loops.repeat({ name: "work dir", everyMs: workDirEveryMs }, () => keepWorkDir(ctx)));
  return {
    port,
    loops,
    healthPort: health.port,
    async stop() {
      health.drain();
      stopping.abort();
      ctx.unfinished.stop();
      const closed = once(server, "close");
      server.close();
      for (const session of sessions) session.close(); // waits for the steps in progress
      await drain(ctx, Promise.all([closed, ...running]));
      await health.close();
      await rm(ctx.workDir, { recursive: true, force: true });
    },
  };
}

/** Its code is loaded only where it is used. */
async function loadHooks({ config }: WorkerContext) {
  if (config.traces.endpoint === null) return {};
  const { createTraceHook } = await import("../engine/trace-hook.ts");
  return { hooks: [createTraceHook()] };
}

/** Waits for work in progress: for paid outputs until they are in the row, for the rest only briefly. */
async function drain(ctx: GenerationContext, ended: Promise<unknown>): Promise<void> {
  const until = AbortSignal.timeout(repeatableMsMax);
  await Promise.race([ended, once(until, "abort")]);
  await ctx.unfinished.settle();
}
