import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execPath } from "node:process";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { prepareDatabase } from "../prepare-database.ts";
import { postgresMajorMin } from "./find-postgres.ts";
import { isAlive } from "./is-alive.ts";
import { type Postgres, startPostgres } from "./postgres.ts";
import { printsLine, startProcess } from "./process.ts";
import { waitUntil } from "./wait-until.ts";

let scratch: Scratch;

beforeAll(async () => {
  scratch = await makeScratch("postgres");
});

afterAll(() => scratch.remove());

async function query(postgres: Postgres, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: "array" })).rows.flat();
  } finally {
    await client.end();
  }
}

test("two at once get different ports; settings, stop and reuse of the data", async () => {
  const [one, two] = await Promise.all([
    startPostgres({ dir: join(scratch.path, "one") }),
    startPostgres({ dir: join(scratch.path, "two"), settings: { fsync: "off" } }),
  ]);
  await using _ = two;
  expect(one.port).not.toBe(two.port);
  expect(await query(one, "show fsync")).toEqual(["on"]);
  expect(await query(two, "show fsync")).toEqual(["off"]);
  expect(await query(one, "show listen_addresses")).toEqual(["127.0.0.1"]);
  await query(one, "create table kept as select 1 as n");

  const pids = (await query(one, "select pid from pg_stat_activity")).map(Number);
  expect(pids.length).toBeGreaterThan(3);
  await one.stop();
  expect([one.pid, ...pids].filter(isAlive)).toEqual([]);

  await using again = await startPostgres({ dir: join(scratch.path, "one"), port: one.port });
  expect(again.url).toBe(one.url);
  expect(await query(again, "select n from kept")).toEqual([1]);
});

test("committed rows survive kill -9 of the postmaster while a backend is busy", async () => {
  await using postgres = await startPostgres({ dir: join(scratch.path, "killed") });
  await query(postgres, "create table kept (n int)");
  const busy = new Client({ connectionString: postgres.url });
  busy.on("error", () => undefined); // the connection is meant to break
  await busy.connect();
  await busy.query("insert into kept values (1)");
  await busy.query("begin");
  await busy.query("insert into kept values (2)");
  // A backend notices the death of its postmaster only between statements or waits; this one
  // never looks up, so the restart has to put an end to it.
  const spinning = busy
    .query("select count(*) from generate_series(1, 100000000000)")
    .catch(() => undefined);
  const busyPid = await busyBackend(postgres);

  await postgres.kill();
  await postgres.restart();
  await spinning;
  expect(isAlive(busyPid)).toBe(false);
  expect(await query(postgres, "select n from kept")).toEqual([1]);
});

async function busyBackend(postgres: Postgres): Promise<number> {
  let pid = 0;
  await waitUntil(
    "the backend is busy",
    async () => {
      const sql =
        "select pid from pg_stat_activity where query like '%generate_series%' and state = 'active' and pid <> pg_backend_pid()";
      pid = Number((await query(postgres, sql))[0] ?? 0);
      return pid > 0;
    },
    { timeoutMs: 300_000 },
  );
  return pid;
}

test("refuses a data directory that is in use", async () => {
  const dir = join(scratch.path, "shared");
  await using first = await startPostgres({ dir });
  await expect(startPostgres({ dir })).rejects.toThrow(
    `a PostgreSQL with pid ${first.pid} is already running`,
  );
  expect(await query(first, "select 1")).toEqual([1]);
});

test("ends when the process that started it is killed", async () => {
  const module = JSON.stringify(new URL("postgres.ts", import.meta.url).href);
  const dir = JSON.stringify(join(scratch.path, "orphan"));
  const code = `import { startPostgres } from ${module};
    const postgres = await startPostgres({ dir: ${dir} });
    process.stdout.write("postmaster " + postgres.pid + "\\n");`;
  const parent = await startProcess({
    name: "parent",
    command: execPath,
    args: ["--input-type=module-typescript", "--eval", code],
    logFile: join(scratch.path, "parent.log"),
    isReady: printsLine(/^postmaster \d+$/m),
  });
  const log = await readFile(parent.logFile, "utf8");
  const postmaster = Number(/^postmaster (\d+)$/m.exec(log)?.[1]);
  expect(isAlive(postmaster)).toBe(true);
  await parent.kill();
  await waitUntil("postgres is gone", () => !isAlive(postmaster), { timeoutMs: 300_000 });
});

test("the build from npm runs too, without its install script, and the service's schema with it", async () => {
  await using postgres = await startPostgres({
    dir: join(scratch.path, "packaged"),
    isPackaged: true,
  });
  const [version] = await query(postgres, "show server_version");
  expect(Number.parseInt(String(version), 10)).toBeGreaterThanOrEqual(postgresMajorMin);
  await query(postgres, "do $$ begin perform 1; end $$"); // plpgsql is loaded from its own folder
  await prepareDatabase(postgres, "zoetrope");
});

test("data is opened only by the version that made it", async () => {
  const dir = join(scratch.path, "older");
  await mkdir(join(dir, "data"), { recursive: true });
  await writeFile(join(dir, "data", "PG_VERSION"), "9\n");
  await expect(startPostgres({ dir })).rejects.toThrow("was made by PostgreSQL 9");
});
