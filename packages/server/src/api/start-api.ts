import { adoptLimit, warnOfNoLimit } from "../admin/grant-limit/change-limit.ts";
import { buildApi, type OpenApi } from "./build-api.ts";
import type { ApiContext } from "./context.ts";
import { listen } from "./listen.ts";
import { createSpread } from "./spread-requests.ts";

/** One app for each shard, behind one server: the first app's. */
export async function startApi(
  shards: readonly [ApiContext, ...ApiContext[]],
): Promise<{ app: OpenApi; address: string }> {
  for (const ctx of shards) {
    await adoptLimit(ctx, ctx.config.admin.grantApprovalAbove);
    await warnOfNoLimit(ctx);
  }
  const spread = createSpread(shards.length);
  const forwarding = shards.length > 1 ? spread.forwarding : null;
  const apps = await Promise.all(shards.map((ctx) => buildApi(ctx, {}, {}, forwarding)));
  const [app, ...others] = apps;
  const [first] = shards;
  if (app === undefined) throw new Error("there is no shard");
  app.addHook("preClose", async () => {
    for (const other of others) other.live.drain();
  });
  app.addHook("onClose", async () => {
    for (const other of others) await other.close(); // after the last of their requests
  });
  for (const other of others) await other.ready();
  spread.serve(apps);
  const { host, port } = first.config.api;
  const address = await listen(app, { host, port });
  for (const other of others) other.live.open();
  return { app, address };
}
