import { createHash, randomBytes, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import { withClient } from "./services/with-client.ts";

export interface AccountPlan {
  name: string;
  credits: number;
  openTasksMax: number;
  /** The deployment's unless given. */
  schedule?: "A" | "B" | null;
  /** Made up unless given. */
  accountId?: string;
  keyId?: string;
}

export interface OpenedAccount extends AccountPlan {
  accountId: string;
  keyId: string;
  key: string;
}

/** Plans of accounts that differ in their number alone. */
export function alike(count: number, plan: AccountPlan): AccountPlan[] {
  return Array.from({ length: count }, (_, n) => ({ ...plan, name: `${plan.name} ${n}` }));
}

const insertAccounts = `insert into accounts (id, name, price_schedule, open_tasks_max, webhook_secret)
  select * from unnest($1::uuid[], $2::text[], $3::text[], $4::int[], $5::text[])`;
const insertKeys = `insert into api_keys (id, account_id, name, hint, hash)
  select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::bytea[])`;
const grantCredits = `select post_transfer(p_cause_id => cause_id, p_kind => 'grant', p_transfer_id => id,
                       p_account_id => account_id, p_amount => credits, p_note => 'first credits')
  from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[]) as g (cause_id, id, account_id, credits)`;

/** Opens accounts straight in the database, all at once: an operator's command takes a second for each. */
export async function openAccounts(
  databaseUrl: string,
  plans: readonly AccountPlan[],
  shard = 0,
): Promise<OpenedAccount[]> {
  const accounts = plans.map((plan) => ({
    accountId: newIdIn(shard),
    keyId: newIdIn(shard),
    key: newKey(shard),
    ...plan,
  }));
  const all = <Value>(read: (account: OpenedAccount) => Value) => accounts.map(read);
  const ids = all(({ accountId }) => accountId);
  await withClient(databaseUrl, async (db) => {
    await db.query("begin");
    await db.query(insertAccounts, [
      ids,
      all(({ name }) => name),
      all(({ schedule }) => schedule ?? null),
      all(({ openTasksMax }) => openTasksMax),
      all(() => `whsec_${randomBytes(24).toString("base64")}`),
    ]);
    await db.query(insertKeys, [
      all(({ keyId }) => keyId),
      ids,
      all(({ name }) => name),
      all(({ key }) => key.slice(0, prefix.length + 4)),
      all(({ key }) => createHash("sha256").update(key).digest()),
    ]);
    await db.query(grantCredits, [all(newId), all(newId), ids, all(({ credits }) => credits)]);
    await db.query("commit");
  });
  return accounts;
}

/** Inserts the first shard's rows of accounts that live in another one. */
export async function putForwardingRows(
  homeUrl: string,
  accounts: readonly OpenedAccount[],
  shard: number,
): Promise<void> {
  const ids = accounts.map(({ accountId }) => accountId);
  const names = accounts.map(({ name }) => name);
  const text = `insert into accounts (id, name, webhook_secret, moved_to)
    select id, name, '', $3 from unnest($1::uuid[], $2::text[]) as a (id, name)`;
  await withClient(homeUrl, (db) => db.query(text, [ids, names, shard]));
}

/** An id of the first shard. */
export function newId(): string {
  return newIdIn(0);
}

/** A UUID of version 7: milliseconds first, then the shard in the ten bits after the variant. */
function newIdIn(shard: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (shard >> 4), 8);
  bytes.writeUInt8(((shard & 0x0f) << 4) | (bytes.readUInt8(9) & 0x0f), 9);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

const prefix = "zoe_live_";
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Returns a key of 32 random characters and their CRC-32 in 6 more, which encodes the shard. */
export function newKey(shard = 0, begin = prefix): string {
  const letter = (index: number) => alphabet.charAt(index % alphabet.length);
  const random = Array.from({ length: 32 }, () => letter(randomInt(alphabet.length))).join("");
  let checksum = "";
  const checked = shard === 0 ? random : `${shard}.${random}`;
  for (let rest = crc32(checked); checksum.length < 6; rest = Math.floor(rest / alphabet.length))
    checksum = letter(rest) + checksum;
  return begin + random + checksum;
}
