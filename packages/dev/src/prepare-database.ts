import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { childEnv } from "./services/command-line.ts";
import type { Postgres } from "./services/postgres.ts";
import { withClient } from "./services/with-client.ts";
import { type Env, serverPackage } from "./start-server.ts";

const run = promisify(execFile);
const operatorMain = createRequire(import.meta.url).resolve("@zoetrope/server/operator/main.ts");
const login = "zoetrope_app";

export interface DatabaseUrls {
  readonly owner: string;
  readonly service: string;
}

/**
 * Creates and migrates a database, and the login that the service uses: a member of its role, no more.
 * One that is there already is only migrated. The schema is that of this copy of the server's package.
 */
export async function prepareDatabase(
  postgres: Postgres,
  name: string,
  serverDir = serverPackage,
  shard = 0,
): Promise<DatabaseUrls> {
  const at = (user: string) => `postgres://${user}@127.0.0.1:${postgres.port}/${name}`;
  const urls = { owner: at("postgres"), service: at(login) };
  await createUnlessThere(postgres.url, `create database ${name}`);
  const asShard = shard === 0 ? [] : ["--shard", String(shard)];
  await runOperator(urls, ["migrate", ...asShard], {}, serverDir);
  await createUnlessThere(urls.owner, `create role ${login} login in role zoetrope_service`);
  return urls;
}

async function createUnlessThere(url: string, sql: string): Promise<void> {
  await withClient(url, (db) => db.query(sql)).catch((error: unknown) => {
    if (!String(error).includes("already exists")) throw error;
  });
}

/** Runs an operator's command and returns its output. */
export async function runOperator(
  urls: DatabaseUrls,
  args: string[],
  more: Env = {},
  serverDir = serverPackage,
): Promise<Record<string, unknown>> {
  const main = join(serverDir, relative(serverPackage, operatorMain));
  const { stdout } = await run(process.execPath, [main, ...args, "--json"], {
    env: childEnv({ ...more, DATABASE_OWNER_URL: urls.owner, DATABASE_URL: urls.service }),
  });
  return JSON.parse(stdout) as Record<string, unknown>;
}
