import { Client } from "pg";

/**
 * Inserts a long history for an account: delivered callbacks, events and assets.
 */
export async function insertHistory(
  databaseUrl: string,
  accountId: string,
  rows: number,
): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const id = (salt: string) => `(
    lpad(to_hex((extract(epoch from now()) * 1000)::bigint - n / 50), 12, '0') || '7' ||
    substr(md5('${salt}' || n), 1, 3) || '8' || substr(md5('${salt}' || n), 4, 15))::uuid`;
  try {
    await client.query("set synchronous_commit = off");
    await client.query(
      `insert into deliveries (id, account_id, url, body, created_at, delivered_at)
       select ${id("d")}, $1, 'https://receiver.example/', '{}', now(), now() from generate_series(1, $2::int) n`,
      [accountId, rows],
    );
    await client.query(
      `insert into events (id, account_id, number, task_id, type, body)
       select ${id("e")}, $1, n, ${id("t")}, 'generation.completed', '{}' from generate_series(1, $2::int) n`,
      [accountId, Math.ceil(rows / 5)],
    );
    await client.query(
      `insert into assets (upstream_asset_id, account_id, type, status, url, content_type, size_bytes,
                           width, height, next_step_at)
       select 'asset-20250101-' || n, $1, 'IMAGE', 'ACTIVE', 'https://files.example/' || n, 'image/png', 1000,
              500, 500, null from generate_series(1, $2::int) n`,
      [accountId, Math.ceil(rows / 10)],
    );
    await client.query("analyze deliveries, events, assets");
  } finally {
    await client.end();
  }
}
