import type { Context } from "../../context.ts";
import type { PausedEndpoint } from "./health-queries.ts";

/** Says that an endpoint was paused because it failed for days. */
export async function tellPaused(ctx: Context, endpoint: PausedEndpoint): Promise<void> {
  const { id: endpointId, accountId } = endpoint;
  ctx.log.warn({
    event: "endpoint.paused",
    endpointId,
    accountId,
    host: new URL(endpoint.url).host,
  });
}
