import { join } from "node:path";
import { openAccounts, putSignposts } from "@zoetrope/dev/open-accounts.ts";
import { prepareDatabase } from "@zoetrope/dev/prepare-database.ts";
import { type Postgres, startPostgres } from "@zoetrope/dev/services/postgres.ts";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { startSink } from "@zoetrope/testkit/start-sink.ts";
import { accountCount, type BenchDatabase, closeOpenTasks } from "../create/bench-database.ts";
import { measureRate, type Target } from "../create/load.ts";
import { startApi } from "../create/run-create.ts";
import { median, ratios } from "../ratios.ts";

const rounds = 9;
const roundSeconds = 8;
const warmUpSeconds = 5;
const clients = 32;
const settings = { shared_buffers: "512MB", max_wal_size: "8GB", checkpoint_timeout: "30min" };

interface Side {
  readonly name: "one" | "two";
  readonly databases: readonly BenchDatabase[];
  readonly target: Target;
}

/** createTask of one api process with one database and with two, alternating in one run on the same cores. */
export async function runShards(): Promise<void> {
  await using scratch = await makeScratch("shards");
  await using engine = await startSink();
  await using started = new AsyncDisposableStack();
  const start = async (name: string) =>
    started.use(await startPostgres({ dir: join(scratch.path, name), settings }));
  const servers = [await start("postgres"), await start("postgres-1")];

  async function startSide(name: Side["name"], used: readonly Postgres[]): Promise<Side> {
    const databases: BenchDatabase[] = [];
    for (const [shard, postgres] of used.entries())
      databases.push(await makeShard(postgres, name, shard, used.length, databases[0]));
    const [home] = databases;
    if (home === undefined) throw new Error("there is no database");
    const keys = databases.flatMap((database) => database.keys);
    const more = { SHARDS: databases.map(({ serviceUrl }) => serviceUrl).join(",") };
    const api = await startApi(scratch.path, { ...home, keys }, engine.url, { name, more });
    return { name, databases, target: started.use(api).target };
  }

  const sides = [await startSide("one", servers.slice(0, 1)), await startSide("two", servers)];
  const rates = new Map(sides.map(({ name }) => [name as string, [] as number[]]));
  for (let round = 0; round <= rounds; round++)
    for (const { name, databases, target } of round % 2 === 0 ? sides : sides.toReversed()) {
      for (const database of databases) await closeOpenTasks(database);
      const seconds = round === 0 ? warmUpSeconds : roundSeconds;
      const rate = await measureRate(target, { clients, seconds, accounts: accountCount });
      if (round > 0) rates.get(name)?.push(rate);
      print(`${round === 0 ? "warm-up" : `round ${round}`}  ${name}  ${rate.toFixed(0)}/s`);
    }
  const ofRounds = ratios(rates, "two", "one");
  const perSecond = (name: string) => median(rates.get(name) ?? []).toFixed(0);
  print(`rounds: ${ofRounds.map((ratio) => ratio.toFixed(2)).join(" ")}`);
  print(
    `creates_one=${perSecond("one")} creates_two=${perSecond("two")} ratio=${median(ofRounds).toFixed(2)}`,
  );
}

/** A share of the accounts, in the shard of that number. */
async function makeShard(
  postgres: Postgres,
  name: string,
  shard: number,
  shards: number,
  home: BenchDatabase | undefined,
): Promise<BenchDatabase> {
  const urls = await prepareDatabase(postgres, name, undefined, shard);
  const plan = { name: "bench", credits: 1_000_000_000, openTasksMax: 1_000_000 };
  const plans = Array.from({ length: accountCount / shards }, () => plan);
  const accounts = await openAccounts(urls.owner, plans, shard);
  if (home !== undefined) await putSignposts(home.ownerUrl, accounts, shard);
  await withClient(urls.owner, (db) => db.query("vacuum analyze"));
  const keys = accounts.map(({ key }) => key);
  return { name, ownerUrl: urls.owner, serviceUrl: urls.service, keys };
}
