import type { FirstShardContext, OpenContext } from "../../src/open-context.ts";
import { openAllShards } from "../../src/open-context.ts";
import { becomeShard } from "../../src/operator/shards/become-shard.ts";
import { configOfShard } from "../../src/settings/config.ts";
import { type FreshDatabase, freshDatabase } from "./fresh-database.ts";
import { openTestBed } from "./test-context.ts";

export interface TwoShards extends AsyncDisposable {
  first: FirstShardContext;
  /** The context of shard 1. */
  other: OpenContext;
  directoryDatabase: FreshDatabase;
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
  const [first, other] = openAllShards(configOfShard(spread, 0));
  if (other === undefined) throw new Error("a shard was not opened");
  return {
    first,
    other,
    directoryDatabase: bed.database,
    otherDatabase,
    async [Symbol.asyncDispose]() {
      await first.close();
      await otherDatabase.drop();
      await bed[Symbol.asyncDispose]();
    },
  };
}
