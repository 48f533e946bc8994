import { createHash, randomBytes, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import { Client } from "pg";

/**
 * Opens accounts straight in the database, all in one transaction, where an operator's command would
 * take a second for each. Rows and keys are made as the service makes them: an account, a grant with
 * its two entries, and one API key of which only the hash is stored.
 */
export interface AccountPlan {
  name: string;
  credits: number;
  openTasksMax: number;
  /** null: the deployment's. */
  schedule: "A" | "B" | null;
}

export interface OpenedAccount extends AccountPlan {
  accountId: string;
  key: string;
}

const insertAccounts = `insert into accounts
  (id, name, price_schedule, open_tasks_max, credits, webhook_secret, transfers)
  select *, 1 from unnest($1::uuid[], $2::text[], $3::text[], $4::int[], $5::bigint[], $6::text[])`;
const insertKeys = `insert into api_keys (id, account_id, name, hint, hash)
  select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::bytea[])`;
const insertGrants = `with granted as (
    insert into transfers (cause_id, kind, id, account_id, amount, note, number, credits_after, held_after)
    select cause_id, 'grant', id, account_id, amount, 'first credits', 1, amount, 0
    from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[])
      as grants (cause_id, id, account_id, amount)
    returning cause_id, account_id, amount
  )
  insert into entries (cause_id, kind, account_id, book, amount)
  select cause_id, 'grant', account_id, 'issued', -amount from granted
  union all
  select cause_id, 'grant', account_id, 'available', amount from granted`;

export async function openAccounts(
  databaseUrl: string,
  plans: readonly AccountPlan[],
): Promise<OpenedAccount[]> {
  const accounts = plans.map((plan) => ({ ...plan, accountId: newId(), key: newKey() }));
  const all = <Value>(read: (account: OpenedAccount) => Value) => accounts.map(read);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("begin");
    await client.query(insertAccounts, [
      all((account) => account.accountId),
      all((account) => account.name),
      all((account) => account.schedule),
      all((account) => account.openTasksMax),
      all((account) => account.credits),
      all(() => `whsec_${randomBytes(24).toString("base64")}`),
    ]);
    await client.query(insertKeys, [
      all(newId),
      all((account) => account.accountId),
      all((account) => account.name),
      all((account) => account.key.slice(0, prefix.length + 4)),
      all((account) => createHash("sha256").update(account.key).digest()),
    ]);
    await client.query(insertGrants, [
      all(newId),
      all(newId),
      all((account) => account.accountId),
      all((account) => account.credits),
    ]);
    await client.query("commit");
  } finally {
    await client.end();
  }
  return accounts;
}

/** A UUID of version 7: milliseconds first, then the shard (0) in the ten bits after the variant. */
export function newId(): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80, 8);
  bytes.writeUInt8(bytes.readUInt8(9) & 0x0f, 9);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

const prefix = "zoe_live_";
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** 32 random characters and the CRC-32 over them in 6 more. */
export function newKey(): string {
  const letter = (place: number) => alphabet.charAt(place % alphabet.length);
  const random = Array.from({ length: 32 }, () => letter(randomInt(alphabet.length))).join("");
  let checksum = "";
  for (let rest = crc32(random); checksum.length < 6; rest = Math.floor(rest / alphabet.length))
    checksum = letter(rest) + checksum;
  return prefix + random + checksum;
}
