import { Client } from "pg";

/** A transaction that somebody forgot to end: what it has locked stays locked. Returns what ends it. */
export async function holdTransaction(
  databaseUrl: string,
  statement: string,
): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("begin");
  await client.query(statement);
  return () => client.end();
}
