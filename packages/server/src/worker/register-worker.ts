import { setTimeout as pause } from "node:timers/promises";
import type { Context } from "../context.ts";
import type { Loops } from "../flow/loop.ts";
import { addressOf, createEngineAdmin, type EngineAdmin, type Registry } from "./engine-admin.ts";

const againMs = 1_000;
const checkEveryMs = 4_000;

/**
 * Registers the address of all workers with the engine, retrying until the engine reaches a worker
 * there, and again whenever the engine does not know one of the services: it may have been started
 * without its data, or have asked a worker of another release for its services.
 */
export async function registerWorker(
  ctx: Context,
  services: readonly string[],
  loops: Loops,
  stop: AbortSignal,
): Promise<void> {
  const { adminUrls, workerUrl } = ctx.config.engine;
  if (adminUrls === null || workerUrl === null) return;
  const admin = createEngineAdmin(adminUrls);
  const address = addressOf(workerUrl);
  const rest = (ms: number) => pause(ms, undefined, { signal: stop }).catch(() => {});
  while (!stop.aborted && !(await register(ctx, admin, address))) await rest(againMs);
  let isChecked = false;
  await loops.repeat({ name: "registration", everyMs: checkEveryMs }, async () => {
    const registry = await admin.read();
    if (!isChecked) await warnOfOthers(ctx, admin, registry, { address, services });
    isChecked = true;
    if (services.some((name) => !registry.known.has(name))) await register(ctx, admin, address);
  });
}

async function register({ log }: Context, admin: EngineAdmin, address: string): Promise<boolean> {
  try {
    await admin.register(address);
    log.info({ event: "worker.registered", uri: address });
    return true;
  } catch (error) {
    log.warn({ event: "worker.unregistered", uri: address, reason: String(error) });
    return false;
  }
}

/** The engine sends new steps to the address that was registered last: workers at another one get none. */
async function warnOfOthers(
  { log }: Context,
  admin: EngineAdmin,
  { deployments }: Registry,
  { address, services }: { address: string; services: readonly string[] },
): Promise<void> {
  const others = deployments.flatMap((other) =>
    other.address !== address && other.services.some((name) => services.includes(name))
      ? (other.address ?? [])
      : [],
  );
  for (const uri of others)
    if (await admin.isServed(uri)) log.warn({ event: "worker.other_address", uri, address });
}
