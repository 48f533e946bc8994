import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Context } from "../context.ts";
import type { Loops } from "../flow/loop.ts";
import { createHealth, observeParts, openServiceChecks, statusOfReport } from "../http/health.ts";
import { confinementState } from "../media/probe/confine.ts";

const requestMsMax = 5_000;

export interface HealthServer {
  port: number;
  drain(): void;
  close(): Promise<void>;
}

/** The worker's `/health/live` and `/health/ready`, on their own port: the other one is for the engine. */
export async function startHealthServer(ctx: Context, loops: Loops): Promise<HealthServer> {
  const services = openServiceChecks(ctx);
  const health = createHealth(
    {
      ...services.parts,
      loops: {
        isVital: true,
        async check() {
          const dead = loops.list().filter(({ isAlive }) => !isAlive);
          if (dead.length > 0) throw new Error(`${dead.length} loops are not running`);
        },
      },
      fence: {
        isVital: true,
        async check() {
          const fault = ctx.fence.fault();
          if (fault !== null) throw new Error(fault);
        },
      },
      confinement: {
        isVital: ctx.config.isProduction, // elsewhere programs may run without
        async check() {
          const { isConfined, fault } = confinementState();
          if (!isConfined) throw new Error(`${fault}`);
        },
      },
    },
    services.close,
  );

  const stopObserving = observeParts(ctx.metrics, health);

  async function answer(path: string): Promise<{ status: number; body: object }> {
    if (path === "/health" || path === "/health/live")
      return { status: 200, body: { status: "ok" } };
    if (path !== "/health/ready") return { status: 404, body: { message: "Not found." } };
    const report = await health.read();
    return { status: statusOfReport(report), body: report };
  }

  const server = createServer(
    { requestTimeout: requestMsMax, headersTimeout: requestMsMax },
    async (request, response) => {
      const { status, body } = await answer((request.url ?? "").split("?")[0] ?? "");
      response.writeHead(status, {
        "content-type": "application/json; charset=utf-8",
        "cache-control": "no-store",
      });
      response.end(request.method === "HEAD" ? undefined : JSON.stringify(body));
    },
  );
  server.listen(ctx.config.worker.healthPort, ctx.config.worker.healthHost);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  ctx.log.info({ event: "health.served", port });
  return {
    port,
    drain: () => health.drain(),
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
      stopObserving();
      await health.close();
    },
  };
}
