import { setTimeout as pause } from "node:timers/promises";
import type { Context } from "../context.ts";
import {
  addressOf,
  createEngineAdmin,
  type Deployment,
  type EngineAdmin,
  type Registry,
} from "./engine-admin.ts";
import type { Loops } from "./loop.ts";

const againMs = 1_000;
const checkEveryMs = 4_000;
/** A worker that could not be reached this many times in a row is replaced. */
const missesMax = 2;
/** A deployment that could not be reached this many times in a row is removed. */
const missesToRemove = 3;
/** Jitter, so that one of many workers takes over and the others see it. */
const takeOverJitterMs = 2_000;

interface Place {
  admin: EngineAdmin;
  /** How the engine reaches this worker, and those that share its address. */
  address: string;
  /** The names of what we serve. */
  services: readonly string[];
}

function placeOf({ config }: Context, services: readonly string[]): Place | null {
  const { adminUrls, workerUrl } = config.engine;
  if (adminUrls === null || workerUrl === null) return null;
  return { admin: createEngineAdmin(adminUrls), address: addressOf(workerUrl), services };
}

/**
 * Registers this worker with the engine, retrying until it succeeds, and checks that new invocations
 * reach a live worker: the engine routes all of them to the address registered last, even if nobody
 * listens there.
 */
export async function registerWorker(
  ctx: Context,
  services: readonly string[],
  loops: Loops,
  stop: AbortSignal,
): Promise<void> {
  const place = placeOf(ctx, services);
  if (place === null) return;
  const rest = (ms: number) => pause(ms, undefined, { signal: stop }).catch(() => {});
  while (!stop.aborted && !(await register(ctx, place))) await rest(againMs);
  const misses = new Map<string, number>();
  await loops.repeat({ name: "registration", everyMs: checkEveryMs }, () =>
    check(ctx, place, misses, rest, stop),
  );
}

async function register({ log }: Context, { admin, address }: Place): Promise<boolean> {
  try {
    await admin.register(address);
    log.info({ event: "worker.registered", uri: address });
    return true;
  } catch (error) {
    log.warn({ event: "worker.unregistered", uri: address, reason: String(error) });
    return false;
  }
}

async function check(
  ctx: Context,
  place: Place,
  misses: Map<string, number>,
  rest: (ms: number) => Promise<unknown>,
  stop: AbortSignal,
): Promise<void> {
  const registry = await place.admin.read();
  if (holdsAll(registry, place)) return removeDead(ctx, place, registry, misses);
  if ((await missesOfHolders(place, registry, misses)) < missesMax) return;
  await rest(Math.random() * takeOverJitterMs);
  if (stop.aborted) return;
  const now = await place.admin.read();
  const isTaken = place.services.some((name) => now.latest.get(name) !== registry.latest.get(name));
  if (!isTaken && (await register(ctx, place))) misses.clear();
}

/** Whether all of our services' new invocations come to our address. */
function holdsAll({ deployments, latest }: Registry, { address, services }: Place): boolean {
  const own = deployments.find((deployment) => deployment.address === address);
  return own !== undefined && services.every((name) => latest.get(name) === own.id);
}

/** How often in a row the deployment that gets new invocations could not be reached. */
async function missesOfHolders(
  place: Place,
  { deployments, latest }: Registry,
  misses: Map<string, number>,
): Promise<number> {
  const holders = new Set(place.services.map((name) => latest.get(name)));
  const counts = await Promise.all(
    [...holders].map(async (id) => {
      const holder = deployments.find((deployment) => deployment.id === id);
      if (holder === undefined) return missesMax; // the engine has no deployment for this service
      return countMiss(place, holder, misses);
    }),
  );
  return Math.max(...counts);
}

async function countMiss(
  { admin }: Place,
  { id, address }: Deployment,
  misses: Map<string, number>,
): Promise<number> {
  const isServed = address === null || (await admin.isServed(address));
  const count = isServed ? 0 : (misses.get(id) ?? 0) + 1;
  misses.set(id, count);
  return count;
}

/**
 * Removes deployments of dead workers once no invocation is pinned to them: the engine kills
 * invocations that cannot continue after their attempts, and the rows cause new wake-ups.
 */
async function removeDead(
  ctx: Context,
  place: Place,
  { deployments, latest }: Registry,
  misses: Map<string, number>,
): Promise<void> {
  const latestIds = new Set(latest.values());
  const others = deployments.filter(
    ({ id, services }) => !latestIds.has(id) && isOurs(services, place),
  );
  await Promise.all(
    others.map(async (deployment) => {
      if ((await countMiss(place, deployment, misses)) < missesToRemove) return;
      if ((await place.admin.countPinned(deployment.id)) > 0) return;
      await place.admin.remove(deployment.id);
      misses.delete(deployment.id);
      ctx.log.info({ event: "worker.removed", uri: deployment.address });
    }),
  );
}

/** Another application may use the same engine: deployments that are not ours alone are left alone. */
function isOurs(services: readonly string[], place: Place): boolean {
  return services.every((name) => place.services.includes(name));
}

/**
 * Called when this worker has stopped listening; `drained` settles when its steps have ended. If no
 * other worker serves its address, new invocations are routed to another worker and the address is
 * removed. Without another worker it stays: the engine keeps retrying until one starts. Never throws.
 */
export async function leaveEngine(
  ctx: Context,
  services: readonly string[],
  drained: Promise<unknown>,
): Promise<void> {
  const place = placeOf(ctx, services);
  if (place === null) return;
  try {
    const { deployments } = await place.admin.read();
    // Some of our services, not all: a worker of the previous release may know fewer.
    const others = deployments.filter(
      (other) =>
        other.address !== null &&
        other.address !== place.address &&
        services.some((name) => other.services.includes(name)),
    );
    if (others.length === 0 || (await place.admin.isServed(place.address))) return;
    await handOver(ctx, place, others);
    await drained;
    const registry = await place.admin.read();
    const own = registry.deployments.find(({ address }) => address === place.address);
    if (own === undefined || [...registry.latest.values()].includes(own.id)) return;
    if ((await place.admin.countPinned(own.id)) > 0) return; // another worker removes it later
    await place.admin.remove(own.id);
    ctx.log.info({ event: "worker.removed", uri: place.address });
  } catch (error) {
    ctx.log.warn({ event: "worker.leave_failed", reason: String(error) });
  }
}

/** Routes new invocations to the newest other live worker, if they still come here. */
async function handOver(ctx: Context, place: Place, others: Deployment[]): Promise<void> {
  for (const { address } of others) {
    const registry = await place.admin.read();
    const own = registry.deployments.find((deployment) => deployment.address === place.address);
    if (own === undefined || ![...registry.latest.values()].includes(own.id)) return;
    if (address === null || !(await place.admin.isServed(address))) continue;
    await place.admin.register(address);
    ctx.log.info({ event: "worker.handed_over", uri: address });
    return;
  }
}
