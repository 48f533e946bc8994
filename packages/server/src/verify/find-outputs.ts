import { sql } from "kysely";
import type { Context } from "../context.ts";
import type { Db } from "../db/database.ts";
import type { TaskId } from "../ids.ts";

/** An output of this service. Its task, and with it the account, is for operators alone. */
export interface FoundOutput {
  taskId: TaskId;
  kind: "video" | "image" | "upscale";
  madeAt: Date;
}

/** The maximum number of bits in which similar prints differ; the three indexes find all up to 5. */
const distanceMax = 5;
const partBits = 21;
const partMask = (1n << BigInt(partBits)) - 1n;
/** A part that differs in no bit, or in one. */
const flips = [0n, ...Array.from({ length: partBits }, (_, bit) => 1n << BigInt(bit))];
const outputsMax = 20;

/** The outputs with exactly these bytes, in all shards, the oldest first. */
export async function findBySha256(
  ctx: Pick<Context, "db" | "otherShards">,
  sha256: string,
): Promise<FoundOutput[]> {
  return inAllShards(ctx, async (db) =>
    db
      .selectFrom("output_prints")
      .select(["task_id as taskId", "kind", "made_at as madeAt"])
      .where("sha256", "=", Buffer.from(sha256, "hex"))
      .orderBy("made_at")
      .limit(outputsMax)
      .execute(),
  );
}

/** The outputs whose print is near one of these, in all shards, the oldest first. */
export async function findByPrints(
  ctx: Pick<Context, "db" | "otherShards">,
  prints: readonly string[],
): Promise<FoundOutput[]> {
  if (prints.length === 0) return [];
  return inAllShards(ctx, (db) => findNear(db, prints));
}

/**
 * Two prints that differ in at most 5 bits differ in at most one bit of one of their three parts. Each
 * part has an index that contains all that is compared.
 */
async function findNear(db: Db, prints: readonly string[]): Promise<FoundOutput[]> {
  const asked = [...new Set(prints)].map(BigInt);
  const probes = (shift: number) => {
    const parts = asked.flatMap((print) => {
      const part = (print >> BigInt(shift)) & partMask;
      return flips.map((flip) => String(part ^ flip));
    });
    return sql`${[...new Set(parts)]}::bigint[]`;
  };
  const columns = sql`select task_id, number, print from output_prints where print is not null and`;
  const { rows } = await sql<FoundOutput>`
    with candidates as (
      ${columns} (print & 2097151) = any (${probes(0)})
      union ${columns} ((print >> 21) & 2097151) = any (${probes(partBits)})
      union ${columns} (print >> 42) = any (${probes(2 * partBits)})),
    near as (
      select c.task_id, c.number, min(bit_count((c.print # a.print)::bit(64))) as distance
      from candidates c, unnest(${asked.map(String)}::bigint[]) as a (print)
      where bit_count((c.print # a.print)::bit(64)) <= ${distanceMax}
      group by c.task_id, c.number order by distance limit ${outputsMax})
    select o.task_id as "taskId", o.kind, o.made_at as "madeAt"
    from near join output_prints o using (task_id, number) order by o.made_at`.execute(db);
  return rows;
}

async function inAllShards(
  { db, otherShards }: Pick<Context, "db" | "otherShards">,
  find: (db: Db) => Promise<FoundOutput[]>,
): Promise<FoundOutput[]> {
  const found = await Promise.all([db, ...otherShards.map((shard) => shard.db)].map(find));
  return found.flat().sort((one, other) => one.madeAt.getTime() - other.madeAt.getTime());
}
