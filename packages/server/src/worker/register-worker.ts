import { setTimeout as pause } from "node:timers/promises";
import { request } from "undici";
import type { Context } from "../context.ts";

const againMs = 1_000;

/**
 * Tells the engine where this worker listens, until it has understood. The same address again is no
 * change; each release is to have an address of its own, and the engine sends new work to the newest.
 */
export async function registerWorker(ctx: Context, stop: AbortSignal): Promise<void> {
  const { RESTATE_ADMIN_URL: adminUrl, WORKER_URL: uri } = ctx.config;
  if (adminUrl === undefined || uri === undefined) return;
  while (!stop.aborted) {
    try {
      const { statusCode, body } = await request(`${adminUrl}/deployments`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ uri }),
        signal: AbortSignal.any([stop, AbortSignal.timeout(10_000)]),
      });
      await body.dump();
      if (statusCode < 300) return ctx.log.info({ event: "worker.registered", uri });
      ctx.log.warn({ event: "worker.unregistered", uri, statusCode });
    } catch (error) {
      if (!stop.aborted) ctx.log.warn({ event: "worker.unregistered", uri, reason: String(error) });
    }
    await pause(againMs, undefined, { signal: stop }).catch(() => {});
  }
}
