import { configOfShard } from "../../src/config.ts";
import type { OpenContext } from "../../src/open-context.ts";
import { openShards } from "../../src/open-shards.ts";
import { becomeShard } from "../../src/operator/shards/become-shard.ts";
import { type FreshDatabase, freshDatabase } from "./fresh-database.ts";
import { openTestBed } from "./test-context.ts";

export interface TwoShards extends AsyncDisposable {
  home: OpenContext;
  /** The context of shard 1. */
  other: OpenContext;
  homeDatabase: FreshDatabase;
  otherDatabase: FreshDatabase;
}

/** The contexts of an api over two databases of their own, without an engine. */
export async function openTwoShards(): Promise<TwoShards> {
  const bed = await openTestBed();
  const otherDatabase = await freshDatabase();
  await becomeShard(otherDatabase.ownerUrl, 1);
  const shards = [bed.database.serviceUrl, otherDatabase.serviceUrl];
  const { config } = bed.ctx;
  const spread = { ...config, database: { ...config.database, shards } };
  const [home, other] = openShards(configOfShard(spread, 0), "api");
  if (home === undefined || other === undefined) throw new Error("a shard was not opened");
  return {
    home,
    other,
    homeDatabase: bed.database,
    otherDatabase,
    async [Symbol.asyncDispose]() {
      await home.close();
      await otherDatabase.drop();
      await bed[Symbol.asyncDispose]();
    },
  };
}
