import { randomBytes, randomInt } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { newId, type TaskId } from "../ids.ts";
import { findByPrints, findBySha256 } from "./find-outputs.ts";

let bed: TestBed;
let otherBed: TestBed;
beforeAll(async () => {
  [bed, otherBed] = await Promise.all([openTestBed(), openTestBed()]);
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await otherBed[Symbol.asyncDispose]();
});

const shards = () => ({ db: bed.ctx.db, otherShards: [otherBed.ctx] });
const newPrint = () => randomBytes(8).readBigUInt64BE() >> 1n;

async function plant(at: TestBed, print: bigint | null, madeAt = "2026-08-02T10:00:00Z") {
  const [taskId, sha256] = [newId<TaskId>(0), randomBytes(32)];
  await at.database.sql("insert into output_prints values ($1, 0, $2, $3, 'video', $4)", [
    taskId,
    sha256,
    print?.toString() ?? null,
    madeAt,
  ]);
  return { taskId, sha256: sha256.toString("hex") };
}

/** The print with this many of its bits changed. */
function change(print: bigint, count: number): bigint {
  const bits = new Set<number>();
  while (bits.size < count) bits.add(randomInt(63));
  return [...bits].reduce((changed, bit) => changed ^ (1n << BigInt(bit)), print);
}

const idsOf = (found: readonly { taskId: TaskId }[]) => found.map(({ taskId }) => taskId);

test("a print finds all within five bits, wherever they are, and none beyond", async () => {
  for (let round = 0; round < 60; round++) {
    const print = newPrint();
    const { taskId } = await plant(bed, print);
    for (let bits = 0; bits <= 5; bits++) {
      const found = await findByPrints(shards(), [change(print, bits).toString()]);
      expect(idsOf(found)).toEqual([taskId]);
    }
    expect(await findByPrints(shards(), [change(print, 6).toString()])).toEqual([]);
  }
});

test("five changed bits are found however they are spread over the parts", async () => {
  const print = newPrint();
  const { taskId } = await plant(bed, print);
  for (const places of [
    [0, 1, 21, 22, 42],
    [0, 1, 2, 3, 4],
    [20, 21, 41, 42, 62],
    [62, 61, 60, 59, 0],
  ]) {
    const asked = places.reduce((changed, bit) => changed ^ (1n << BigInt(bit)), print);
    expect(idsOf(await findByPrints(shards(), [asked.toString()]))).toEqual([taskId]);
  }
});

test("one of several prints is enough, and an output without a print is found by its bytes alone", async () => {
  const print = newPrint();
  const near = await plant(bed, print);
  const bare = await plant(bed, null);
  const asked = [newPrint(), print, change(print, 3)].map(String);
  expect(idsOf(await findByPrints(shards(), asked))).toEqual([near.taskId]);
  expect(idsOf(await findBySha256(shards(), bare.sha256))).toEqual([bare.taskId]);
  expect(await findByPrints(shards(), [])).toEqual([]);
  expect(await findBySha256(shards(), randomBytes(32).toString("hex"))).toEqual([]);
});

test("every shard is asked, and the oldest output comes first", async () => {
  const print = newPrint();
  const later = await plant(bed, print, "2026-09-02T10:00:00Z");
  const earlier = await plant(otherBed, change(print, 2));
  const found = await findByPrints(shards(), [print.toString()]);
  expect(idsOf(found)).toEqual([earlier.taskId, later.taskId]);
  expect(idsOf(await findBySha256(shards(), earlier.sha256))).toEqual([earlier.taskId]);
});

test("the lookup reads the three indexes alone", async () => {
  await bed.database.sql(
    `insert into output_prints select gen_random_uuid(), 0, sha256(n::text::bytea),
       (('x' || left(md5(n::text), 16))::bit(64) >> 1)::bigint, 'image', now()
     from generate_series(1, 20000) n`,
  );
  await bed.database.sql("vacuum analyze output_prints");
  const parts = ["print & 2097151", "(print >> 21) & 2097151", "print >> 42"];
  const used = await Promise.all(
    parts.map(async (part) => {
      const rows = await bed.database.sql<{ "QUERY PLAN": string }>(
        `explain select task_id, number, print from output_prints
         where print is not null and (${part}) = any ('{1,2,3}'::bigint[])`,
      );
      return rows.map((row) => row["QUERY PLAN"]).join("\n");
    }),
  );
  expect(used).toEqual([
    expect.stringContaining("Index Only Scan using output_prints_low"),
    expect.stringContaining("Index Only Scan using output_prints_middle"),
    expect.stringContaining("Index Only Scan using output_prints_high"),
  ]);
});
