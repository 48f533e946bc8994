import { join } from "node:path";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { blockPartition } from "@zoetrope/testkit/services/block-partition.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { canaryKeys, partitionKeyOf } from "../src/engine/canary/canary-keys.ts";

const partitions = 4;
const keys = canaryKeys(partitions);
const patient = { timeoutMs: 300_000, intervalMs: 200 };
let scratch: Scratch;
let stack: Stack;

beforeAll(async () => {
  scratch = await makeScratch("canary");
  const dir = join(scratch.path, "stack");
  stack = await startStack({ dir, serverEnv: { ENGINE_CANARY_MS: "400" } });
});

afterAll(async () => {
  await stack.stop();
  await scratch.remove();
});

/** Returns the number of questions since the last answer, by partition. */
function readSilence(): Promise<number[]> {
  return withClient(stack.databaseOwnerUrl, async (db) => {
    const { rows } = await db.query<{ silent: number }>(
      `select greatest(0, extract(epoch from asked_at - answered_at))::float8 as silent
       from engine_partitions order by partition`,
    );
    return rows.map(({ silent }) => silent);
  });
}

const base62 = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** The engine's own word: an invocation's id begins with the partition key, its bytes reversed. */
async function partitionKeyByEngine(key: string): Promise<bigint> {
  const path = `/canary/${key}/answer/send`;
  const sent = await fetch(`${stack.restate.ingressUrl}${path}`, { method: "POST" });
  const { invocationId } = (await sent.json()) as { invocationId: string };
  const digits = [...invocationId.slice("inv_1".length, "inv_1".length + 11)];
  const number = digits.reduce((sum, digit) => sum * 62n + BigInt(base62.indexOf(digit)), 0n);
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(number);
  return bytes.readBigUInt64BE();
}

test("the engine places each canary in the partition that it is meant for", async () => {
  for (const [partition, key] of keys.entries()) {
    const partitionKey = await partitionKeyByEngine(key);
    expect(partitionKey).toBe(partitionKeyOf(key));
    expect(Number((partitionKey * BigInt(partitions)) >> 64n)).toBe(partition);
  }
});

test("only the partition that accepts work and does not run it falls silent, and it is heard again", async () => {
  const isSilent = (silence: number[], partition: number) => (silence[partition] ?? 0) > 3;
  await waitUntil(
    "every partition answers",
    async () => (await readSilence()).length === 4,
    patient,
  );
  const blocked = await blockPartition(stack.restate, keys[2] ?? "");
  const silent = async () => isSilent(await readSilence(), 2);
  await waitUntil("the blocked partition is silent", silent, patient);
  const others = async () =>
    (await readSilence()).every(
      (_, partition, all) => partition === 2 || !isSilent(all, partition),
    );
  await waitUntil("the others answer", others, patient);
  expect(await silent()).toBe(true);
  await blocked[Symbol.asyncDispose]();
  await waitUntil("it is heard again", async () => !(await silent()), patient);
});
