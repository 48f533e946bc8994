import { freePort } from "@zoetrope/dev/services/ports.ts";
import type { ServerProcess } from "@zoetrope/dev/stack.ts";
import type { Env } from "@zoetrope/dev/start-server.ts";
import type { Drill } from "./scenario.ts";

/** Another worker with these settings, which the engine does not know and Prometheus scrapes. */
export async function startExtraWorker(
  { stack, alsoScrape }: Drill,
  name: string,
  env: Env,
): Promise<ServerProcess> {
  const opsPort = String(await freePort());
  const settings = { ...env, OPS_PORT: opsPort };
  const worker = await stack.startServer({ role: "worker", name, env: settings });
  await alsoScrape(`127.0.0.1:${opsPort}`);
  return worker;
}
