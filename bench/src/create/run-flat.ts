import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { historyTables } from "@zoetrope/server/db/partitions.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { median, ratios } from "../ratios.ts";
import {
  accountCount,
  type BenchDatabase,
  closeOpenTasks,
  makeBenchDatabase,
  startBenchPostgres,
} from "./bench-database.ts";
import { measurePgbench } from "./pgbench.ts";

const few = 10_000;
const clients = 8;
const rounds = 8;
const roundSeconds = 6;
const batch = 250_000;
const historyDays = 45;

/** Whether accepting a task costs more when the history is long: two databases, alternating. */
export async function runFlat(many: number): Promise<void> {
  await using scratch = await makeScratch("flat");
  await using postgres = await startBenchPostgres(scratch.path);
  const databases = {
    few: await fill(await makeBenchDatabase(postgres, "few"), few),
    many: await fill(await makeBenchDatabase(postgres, "many"), many),
  };
  const rates = new Map<string, number[]>([
    ["few", []],
    ["many", []],
  ]);
  for (let round = 0; round <= rounds; round++)
    for (const [name, database] of Object.entries(databases)) {
      await closeOpenTasks(database);
      const options = { clients, seconds: roundSeconds, dir: scratch.path };
      const rate = await measurePgbench(database, options);
      if (round > 0) rates.get(name)?.push(rate);
      print(
        `${round === 0 ? "warm-up" : `round ${round}`}  ${name.padEnd(5)} ${rate.toFixed(0)}/s`,
      );
    }
  const ratio = median(ratios(rates, "few", "many"));
  print(`tasks_few=${few} tasks_many=${many} cost_ratio=${ratio.toFixed(2)}`);
}

/** Tasks that are over, with their holds and charges, spread over the last weeks. */
async function fill(database: BenchDatabase, count: number): Promise<BenchDatabase> {
  await withClient(database.ownerUrl, async (client) => {
    await client.query(
      `select create_partition(p_parent => parent, p_month => month, p_rows_max => 1)
       from unnest($1::text[]) as parent,
            generate_series(date_trunc('month', now() - interval '${historyDays} days'), now(), interval '1 month') as month`,
      [historyTables],
    );
    await client.query("set synchronous_commit = off");
    await client.query("create temporary table made (id uuid, account_id uuid, n bigint)");
    for (let done = 0; done < count; done += batch) {
      await client.query("truncate made");
      await client.query(
        `insert into made select
           (substr(id_floor(now() - interval '${historyDays} days' * (1 - n::float8 / $2))::text, 1, 14) || '7'
             || substr(md5(n::text), 1, 3) || '-8000-' || substr(md5('x' || n), 1, 12))::uuid,
           ('00000000-0000-7000-8000-' || lpad(to_hex(n % ${accountCount}), 12, '0'))::uuid, n
         from generate_series($1::bigint, least($1 + ${batch}, $2) - 1) as n`,
        [done, count],
      );
      await client.query(
        `insert into tasks (id, account_id, kind, model, request, price_schedule, credits, status, output, created_at, completed_at)
         select id, account_id, 'generation', 'sd2', '{"model":"sd2","prompt":"a fox","durationSeconds":5}', 'A', 30, 'COMPLETED', '[]', now(), now() from made`,
      );
      await client.query(
        `insert into transfers (cause_id, kind, id, account_id, amount, number, credits_after, held_after)
         select id, kind, gen_random_uuid(), account_id, 30, 2 + n / ${accountCount} * 2 + (kind = 'capture')::int, 0, 0
         from made, unnest(array['hold', 'capture']) as kind`,
      );
      await client.query(
        `insert into entries (cause_id, kind, account_id, book, amount)
         select id, kind, account_id, book, amount from made,
           (values ('hold', 'available', -30), ('hold', 'held', 30), ('capture', 'held', -30), ('capture', 'revenue', 30)) as e (kind, book, amount)`,
      );
      print(`${database.name}: ${Math.min(done + batch, count)} tasks`);
    }
    await client.query("vacuum analyze");
    await client.query("checkpoint");
  });
  return database;
}
