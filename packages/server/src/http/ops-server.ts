import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Log } from "../log.ts";
import { openMetricsType } from "../metrics/render-open-metrics.ts";
import type { Config } from "../settings/config.ts";

const requestMsMax = 5_000;
/** However often and by however many it is scraped, metrics are collected once in this time. */
const rememberMs = 1_000;

export interface OpsServer {
  port: number;
  close(): Promise<void>;
}

/** Serves `/metrics` to the operator alone, where a port is set for it: it is not authenticated. */
export async function startOpsServer(
  { config, log }: { config: Config; log: Log },
  renderMetrics: () => Promise<string>,
): Promise<OpsServer | null> {
  if (config.ops.port === null) return null;
  const read = createScrape(renderMetrics);
  const server = createServer(
    { requestTimeout: requestMsMax, headersTimeout: requestMsMax },
    async (request, response) => {
      if ((request.url ?? "").split("?")[0] !== "/metrics")
        return response.writeHead(404).end("Not found.\n");
      try {
        const text = await read();
        response.writeHead(200, { "content-type": openMetricsType, "cache-control": "no-store" });
        return response.end(request.method === "HEAD" ? undefined : text);
      } catch (error) {
        log.error({ event: "metrics.failed", reason: String(error) });
        return response.writeHead(500).end("The metrics could not be collected.\n");
      }
    },
  );
  server.listen(config.ops.port, config.ops.host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  log.info({ event: "ops.served", port });
  return {
    port,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

export function createScrape(render: () => Promise<string>): () => Promise<string> {
  let last: { at: number; text: Promise<string> } | undefined;
  return () => {
    if (last === undefined || last.at < performance.now() - rememberMs) {
      const started = { at: Number.POSITIVE_INFINITY, text: render() };
      last = started;
      const settle = () => {
        started.at = performance.now();
      };
      started.text.then(settle, settle);
    }
    return last.text;
  };
}
