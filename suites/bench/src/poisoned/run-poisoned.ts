import { randomBytes } from "node:crypto";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import type { DeliveryId } from "@zoetrope/server/ids.ts";
import { type OpenContext, openContext } from "@zoetrope/server/open-context.ts";
import { readConfig } from "@zoetrope/server/settings/config.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import {
  type BenchDatabase,
  makeBenchDatabase,
  startBenchPostgres,
} from "../create/bench-database.ts";
import { median } from "../ratios.ts";
import { type Life, preparePoison, type Step, steps } from "./steps.ts";

/** The number of rows that share a transaction under load. */
const others = 32;

/**
 * Measures how much a row that the database refuses slows the others of its batch, in every step of
 * a life that tasks share: batches of 33 with and without one, alternating. The time is that of the
 * last of the others.
 */
export async function runPoisoned(rounds: number): Promise<void> {
  await using scratch = await makeScratch("poisoned");
  await using postgres = await startBenchPostgres(scratch.path);
  const database = await makeBenchDatabase(postgres, "poisoned");
  await preparePoison(database.ownerUrl);
  const ctx = openContext(settingsOf(database, scratch.path), "bench");
  try {
    const ms = { clean: emptyTimes(), poisoned: emptyTimes() };
    for (let round = 0; round <= 2 * rounds; round++) {
      const isPoisoned = round % 2 === 1;
      const times = await live(ctx, database, round, isPoisoned);
      const side = isPoisoned ? ms.poisoned : ms.clean;
      if (round > 0) for (const [name, each] of times) side.get(name)?.push(each); // the first is warm-up
    }
    show(ms);
  } finally {
    await ctx.close();
  }
}

const emptyTimes = () => new Map(steps.map(({ name }): [string, number[]] => [name, []]));

/** One life of everybody, step by step. Says how long the last of the others took in each step. */
async function live(
  ctx: OpenContext,
  database: BenchDatabase,
  round: number,
  isPoisoned: boolean,
): Promise<Map<string, number>> {
  const lives = Array.from({ length: others + 1 }, (_, at) => ({
    number: round * (others + 1) + at,
  })) as Life[];
  const bad = lives[others / 2] as Life;
  const times = new Map<string, number>();
  for (const step of steps) {
    if (step.name === "attempt") await findDeliveries(database, lives);
    const known = lives as Required<Life>[];
    const poison = isPoisoned ? step.poisonOf(bad as Required<Life>) : "nothing";
    await withClient(database.ownerUrl, (db) =>
      db.query("insert into poison values ($1)", [poison]),
    );
    times.set(step.name, await runStep(ctx, step, known, bad as Required<Life>, isPoisoned));
    await withClient(database.ownerUrl, (db) => db.query("delete from poison"));
    if (isPoisoned) await step.run(ctx, bad as Required<Life>); // its life goes on
  }
  return times;
}

async function runStep(
  ctx: OpenContext,
  step: Step,
  lives: Required<Life>[],
  bad: Required<Life>,
  isPoisoned: boolean,
): Promise<number> {
  const startedAt = performance.now();
  let lastMs = 0;
  const outcomes = await Promise.allSettled(
    lives.map(async (life) => {
      await step.run(ctx, life);
      if (life !== bad) lastMs = Math.max(lastMs, performance.now() - startedAt);
    }),
  );
  const failed = outcomes.filter(({ status }) => status === "rejected");
  if (failed.length !== (isPoisoned ? 1 : 0))
    throw new Error(`${step.name}: ${failed.length} failed: ${JSON.stringify(failed[0])}`);
  return lastMs;
}

async function findDeliveries(database: BenchDatabase, lives: Life[]): Promise<void> {
  await withClient(database.ownerUrl, async (db) => {
    for (const life of lives) {
      const { rows } = await db.query<{ id: DeliveryId }>(
        "select id from deliveries where task_id = $1",
        [life.taskId],
      );
      if (rows[0] !== undefined) life.deliveryId = rows[0].id;
    }
  });
}

function show(ms: Record<"clean" | "poisoned", Map<string, number[]>>): void {
  const delays: number[] = [];
  print("| step | without, ms | with a poisoned row, ms | delay, ms |\n| --- | --- | --- | --- |");
  for (const { name } of steps) {
    const clean = median(ms.clean.get(name) ?? []);
    const poisoned = median(ms.poisoned.get(name) ?? []);
    delays.push(poisoned - clean);
    print(
      `| ${name} | ${clean.toFixed(1)} | ${poisoned.toFixed(1)} | ${(poisoned - clean).toFixed(1)} |`,
    );
  }
  print(`delay_ms_max=${Math.max(...delays).toFixed(1)} others=${others}`);
}

function settingsOf(database: BenchDatabase, dir: string) {
  return readConfig({
    LOG_LEVEL: "silent",
    DATABASE_URL: database.serviceUrl,
    DATABASE_CONNECTIONS_MAX: "20",
    PUBLIC_URL: "http://127.0.0.1:8080",
    RESTATE_INGRESS_URL: "http://127.0.0.1:9",
    STORAGE_DIR: dir,
    VENDORS: "[]",
    ALLOW_LOOPBACK: "true",
    KEY_RING: `bench ${randomBytes(32).toString("base64")}`,
    VENDOR_CALLBACK_SECRET: randomBytes(32).toString("hex"),
  });
}
