import { mkdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "@zoetrope/dev/services/command-line.ts";
import { findPrograms } from "@zoetrope/dev/services/find-program.ts";
import { freePort } from "@zoetrope/dev/services/ports.ts";
import { answersSql, unprivilegedUser } from "@zoetrope/dev/services/postgres.ts";
import { type RunningProcess, startProcess } from "@zoetrope/dev/services/process.ts";

export interface PgbouncerOptions {
  readonly dir: string;
  /** A database as the service's role: what is pooled. */
  readonly databaseUrl: string;
  /** Connections to PostgreSQL. */
  readonly connectionsMax: number;
  /** The settings of each of these connections. */
  readonly settings: Readonly<Record<string, string | number>>;
}

/** Returns the query that PgBouncer sends on every connection that it opens. */
export function connectQuery(settings: PgbouncerOptions["settings"]): string {
  return Object.entries(settings)
    .map(([name, value]) => `set ${name} = ${value}`)
    .join("; ");
}

/** A pooler of transactions. `url` is the same database through it. */
export async function startPgbouncer(
  options: PgbouncerOptions,
): Promise<RunningProcess & { readonly url: string }> {
  const { pgbouncer } = await findPrograms(["pgbouncer"]);
  const user = await unprivilegedUser(); // it refuses to run as root, as PostgreSQL does
  await mkdir(options.dir, { recursive: true });
  const dir = await realpath(options.dir);
  const port = await freePort();
  const configFile = join(dir, "pgbouncer.ini");
  const usersFile = join(dir, "users.txt");
  const { hostname, port: serverPort, username, pathname } = new URL(options.databaseUrl);
  const name = pathname.slice(1);
  await writeFile(usersFile, `"${username}" ""\n`);
  await writeFile(
    configFile,
    `[databases]
${name} = host=${hostname} port=${serverPort} dbname=${name} connect_query='${connectQuery(options.settings)}'

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${usersFile}
pool_mode = transaction
max_client_conn = 2000
default_pool_size = ${options.connectionsMax}
query_wait_timeout = 10
`,
  );
  if (user !== undefined) await runCommand("chown", ["-R", `${user}:`, dir]);
  const url = `postgres://${username}@127.0.0.1:${port}/${name}`;
  const running = await startProcess({
    name: "pgbouncer",
    command: pgbouncer,
    args: [configFile],
    cwd: dir,
    user,
    logFile: join(dir, "pgbouncer.log"),
    isReady: () => answersSql(url),
    stopSignal: "SIGINT",
  });
  return Object.assign(running, { url });
}
