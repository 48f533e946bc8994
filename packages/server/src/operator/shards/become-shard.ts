import { Client } from "pg";
import { fail } from "../command.ts";

/**
 * The number of asset numbers per shard. Each shard has a separate range, so that an asset keeps its number
 * when its account moves. The numbers of the last of 1024 shards have 16 digits, the maximum.
 */
const assetsOfShardMax = 8_000_000_000_000;

/** Makes an empty database the shard of that number. Ids and keys carry it: it cannot be changed later. */
export async function becomeShard(ownerUrl: string, shard: number): Promise<void> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query("begin; lock table accounts in share row exclusive mode");
    const { rows } = await client.query<{ number: number; hasAccounts: boolean }>(
      'select number, exists (select from accounts) as "hasAccounts" from this_shard where is_only',
    );
    const [now] = rows;
    if (now?.number === shard) return;
    if (now?.hasAccounts === true)
      fail(`This database is shard ${now.number} and has accounts: it stays that.`);
    await client.query("update this_shard set number = $1", [shard]);
    await client.query("select setval(pg_get_serial_sequence('assets', 'id'), $1, false)", [
      shard * assetsOfShardMax + 1,
    ]);
    await client.query("commit");
  } finally {
    await client.end();
  }
}
