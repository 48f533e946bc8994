import { withClient } from "@zoetrope/dev/services/with-client.ts";
import type { PairMember } from "@zoetrope/testkit/postgres-pair/member.ts";
import type { PostgresPair } from "@zoetrope/testkit/postgres-pair/start-postgres-pair.ts";
import { Client } from "pg";

export interface Fault {
  readonly name: string;
  /** The number by which the timeline rises: each promotion begins one. */
  readonly promotions: number;
  /** Returns when the pair is complete again. */
  inject(): Promise<void>;
}

/** A write that the old primary was sent while it was frozen, past HAProxy. */
export interface StaleWrite {
  outcome: "open" | "accepted" | "refused";
}

export function faultsOf(pair: PostgresPair, databaseUrl: string, stale: StaleWrite[]): Fault[] {
  return [
    { name: "primary killed", promotions: 1, inject: () => primaryKilled(pair) },
    {
      name: "primary frozen",
      promotions: 1,
      inject: async () => void stale.push(await primaryFrozen(pair, databaseUrl)),
    },
    { name: "standby killed", promotions: 0, inject: () => standbyKilled(pair) },
    { name: "switchover", promotions: 1, inject: () => switchover(pair) },
  ];
}

export async function primaryKilled(pair: PostgresPair): Promise<void> {
  const old = await pair.primary();
  await old.kill();
  await pair.untilReplaced(old);
  await old.restart();
  await pair.untilPaired();
}

/** Freezes the primary for longer than its lease and lets it continue when another is the primary. */
export async function primaryFrozen(pair: PostgresPair, databaseUrl: string): Promise<StaleWrite> {
  const old = await pair.primary();
  await withClient(databaseUrl, (db) =>
    db.query("create table if not exists frozen_primary_writes (n int)"),
  );
  const client = await connectTo(old, databaseUrl);
  await old.freeze();
  const stale: StaleWrite = { outcome: "open" };
  const writing = client.query("insert into frozen_primary_writes values (1)").then(
    () => {
      stale.outcome = "accepted";
    },
    () => {
      stale.outcome = "refused";
    },
  );
  try {
    await pair.untilReplaced(old);
  } finally {
    await old.thaw();
  }
  await pair.untilPaired();
  await writing; // its server was restarted as a standby
  await client.end().catch(() => {});
  const { rows } = await withClient(databaseUrl, (db) =>
    db.query("select n from frozen_primary_writes"),
  );
  if (rows.length > 0) stale.outcome = "accepted";
  return stale;
}

async function connectTo(member: PairMember, databaseUrl: string): Promise<Client> {
  const url = new URL(databaseUrl);
  url.port = new URL(member.url).port;
  const client = new Client({ connectionString: url.href });
  client.on("error", () => {});
  await client.connect();
  return client;
}

export async function standbyKilled(pair: PostgresPair): Promise<void> {
  const standby = await pair.standby();
  await standby.kill();
  await pair.untilAlone();
  await standby.restart();
  await pair.untilPaired();
}

export async function standbyFrozen(pair: PostgresPair): Promise<void> {
  const standby = await pair.standby();
  await standby.freeze();
  try {
    await pair.untilAlone();
  } finally {
    await standby.thaw();
  }
  await pair.untilPaired();
}

export async function switchover(pair: PostgresPair): Promise<void> {
  const old = await pair.primary();
  await pair.switchOver();
  await pair.untilReplaced(old);
  await pair.untilPaired();
}
