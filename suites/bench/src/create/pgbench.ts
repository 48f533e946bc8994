import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { findPrograms } from "@zoetrope/dev/services/find-program.ts";
import { connectionOptions } from "@zoetrope/server/db/session-settings.ts";
import { accountCount, type BenchDatabase, sampleTask } from "./bench-database.ts";

const run = promisify(execFile);

/** Time-ordered like the service's own, so that rows land where real ones would. */
const newId = (digit: string) =>
  `(substr(id_floor(clock_timestamp())::text, 1, 14) || '7' || substr(md5(random()::text), 1, 3) || '-${digit}000-' || substr(md5(random()::text), 1, 12))::uuid`;
const idOf = (digit: string) =>
  `('00000000-0000-7000-${digit}000-' || lpad(to_hex(:n::int), 12, '0'))::uuid`;

const request = sampleTask.request.replaceAll(":", ": "); // ":name" would be a variable of pgbench

const script = `\\set n random(0, ${accountCount - 1})
select * from accept_task(
  p_account_id => ${idOf("8")}, p_key_id => ${idOf("9")}, p_task_id => ${newId("8")}, p_hold_id => ${newId("9")},
  p_kind => 'generation', p_model => 'sd2', p_request => '${request}', p_price_schedule => 'A', p_credits => 30,
  p_credits_max => null, p_callback_url => null, p_vendor_account => 'ark', p_age_max_ms => 7200000,
  p_wake_again_ms => 10000, p_idempotency_key => null, p_fingerprint => null);
`;

/** The limit: PostgreSQL alone with the same function. Calls per second. */
export async function measurePgbench(
  database: BenchDatabase,
  options: { clients: number; seconds: number; dir: string },
): Promise<number> {
  const { pgbench } = await findPrograms(["pgbench"]);
  const file = join(options.dir, "create.sql");
  await writeFile(file, script);
  const url = new URL(database.serviceUrl);
  const args = [
    "-n",
    "-M",
    "prepared",
    "-f",
    file,
    "-c",
    String(options.clients),
    "-j",
    "1",
    "-T",
    String(options.seconds),
    "-h",
    url.hostname,
    "-p",
    url.port,
    "-U",
    url.username,
    database.name,
  ];
  const { stdout } = await run(pgbench, args, { env: { PGOPTIONS: connectionOptions } });
  const tps = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
  const failed = /number of failed transactions: (\d+)/.exec(stdout)?.[1];
  if (!(tps > 0) || failed !== "0") throw new Error(stdout);
  return tps;
}
