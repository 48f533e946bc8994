import { createManualReviewer } from "./assets/review/manual-reviewer.ts";
import { type Config, configOfShard } from "./config.ts";
import { createAnnouncer } from "./db/announcer.ts";
import { openDatabase, openPool } from "./db/database.ts";
import { createWaker, type WakeOutcome } from "./engine/waker.ts";
import { type OpenContext, openContext, openVendorReviewer } from "./open-context.ts";
import { createSignal } from "./signal.ts";
import { readVendorSettings } from "./vendors/read-settings.ts";

type Shards = [OpenContext, ...OpenContext[]];

/** Of an api every shard, home first; of a worker its own. To close the first closes all. */
export function openShards(config: Config, role: "api" | "worker"): Shards {
  const home = openContext(configOfShard(config, 0), role);
  if (role === "worker") return [openOwnShard(home, config.database.shard)];
  const more = config.database.shards.slice(1).map((_, place) => openShard(home, place + 1, role));
  const all = [home, ...more];
  const withOthers = (shard: OpenContext): OpenContext => ({
    ...shard,
    others: all.filter((other) => other !== shard).map(({ pool, db }) => ({ pool, db })),
  });
  const close = () => closeInOrder([...more, home]);
  return [{ ...withOthers(home), close }, ...more.map(withOthers)];
}

function openOwnShard(home: OpenContext, shard: number): OpenContext {
  if (shard === 0) return home;
  const own = openShard(home, shard, "worker");
  return { ...own, close: () => closeInOrder([own, home]) };
}

async function closeInOrder(contexts: readonly OpenContext[]): Promise<void> {
  for (const context of contexts) await context.close();
}

/** What belongs to the process is shared with home; what belongs to a database is the shard's own. */
function openShard(home: OpenContext, shard: number, role: string): OpenContext {
  const config = configOfShard(home.config, shard);
  const { url, connectionsMax } = config.database;
  const { log, metrics } = home;
  const pool = openPool(url, connectionsMax, `zoetrope ${role}`);
  const db = openDatabase(pool);
  const countWake = (outcome: WakeOutcome) => metrics.wakeUps.add({ outcome });
  const waker = createWaker(config.engine.ingressUrls, log, countWake, shard);
  const changes = createAnnouncer(pool, log);
  return {
    ...home,
    ...{ config, pool, db, waker, changes },
    home: { pool: home.pool, db: home.db },
    reviewers: {
      ...home.reviewers,
      manual: createManualReviewer(db),
      ...openVendorReviewer(config, readVendorSettings(config).arkAssets, db, log),
    },
    deliverySignal: createSignal(),
    segmentSignal: createSignal(),
    async close() {
      await waker.close();
      await changes.close();
      await db.destroy();
    },
  };
}
