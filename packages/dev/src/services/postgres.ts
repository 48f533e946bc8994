import { mkdir, readdir, readFile, readlink, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { geteuid, platform } from "node:process";
import { Client } from "pg";
import { runCommand } from "./command-line.ts";
import { findPostgres, type PostgresPrograms, postgresEnv } from "./find-postgres.ts";
import { freePort } from "./ports.ts";
import { type RunningProcess, startProcess } from "./process.ts";
import { waitUntil } from "./wait-until.ts";

export interface PostgresOptions {
  /** Holds data, socket and log. A data directory that is there already is used again. */
  readonly dir: string;
  readonly port?: number | undefined;
  /** Server settings by name, for example `{ fsync: "off" }`. */
  readonly settings?: Readonly<Record<string, string | number>>;
  /** The build from npm, even if the system has a PostgreSQL. */
  readonly isPackaged?: boolean;
}

export interface Postgres extends RunningProcess {
  /** The superuser, without a password, on the database `postgres`. */
  readonly url: string;
  readonly port: number;
  /** Stops all of its processes where they are: connections stay open and nobody responds. Needs /proc. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
}

// sun_path has 108 bytes on Linux and 104 on macOS, with the final zero.
const SOCKET_PATH_BYTES_MAX = platform === "linux" ? 107 : 103;
const LEFTOVER_GRACE_MS = 2_000;

/**
 * A real PostgreSQL on loopback; everybody on this machine may connect (trust). `stop` is a fast
 * shutdown; `kill` ends the postmaster alone, and `restart` waits for the backends it orphaned
 * before it lets the new one recover.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const user = await unprivilegedUser();
  const dir = resolve(options.dir);
  const programs = await choosePrograms(dir, options.isPackaged ?? false);
  await prepareDir(dir, user);
  if (user !== undefined) await requirePassage(programs.postgres, user);
  const env = await postgresEnv(programs, dir);
  const dataDir = join(await realpath(dir), "data");
  if ((await readMajor(dir)) === undefined) await initData(programs.initdb, dataDir, env, user);
  const port = options.port ?? (await freePort());
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const running = await startProcess({
    name: "postgres",
    command: programs.postgres,
    args: ["-D", dataDir, ...settingArgs(serverSettings(dir, port, options.settings))],
    cwd: dir,
    env,
    user,
    logFile: join(dir, "postgres.log"),
    isReady: () => answersSql(url),
    stopSignal: "SIGINT",
    stopGraceMs: 20_000,
    parentDeathSignal: "SIGQUIT", // immediate shutdown: takes the backends along
    beforeStart: () => clearLeftovers(dataDir),
  });
  // The postmaster first: it starts no other while they are listed.
  const signalAll = async (signal: NodeJS.Signals) => {
    process.kill(running.pid, signal);
    for (const pid of await serverPids(dataDir)) signalIfThere(pid, signal);
  };
  return Object.assign(running, {
    url,
    port,
    freeze: () => signalAll("SIGSTOP"),
    thaw: () => signalAll("SIGCONT"),
  });
}

function serverSettings(dir: string, port: number, extra: PostgresOptions["settings"]) {
  const socket = join(dir, `.s.PGSQL.${port}`);
  const socketFits = Buffer.byteLength(socket) <= SOCKET_PATH_BYTES_MAX;
  return {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: socketFits ? dir : "", // none rather than no server
    max_connections: 200,
    shared_buffers: "64MB",
    logging_collector: "off",
    timezone: "UTC",
    log_timezone: "UTC",
    ...extra,
  };
}

function settingArgs(settings: Readonly<Record<string, string | number>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

async function choosePrograms(dir: string, isPackaged: boolean): Promise<PostgresPrograms> {
  const major = await readMajor(dir);
  const programs = await findPostgres({ isPackaged, major });
  if (programs !== undefined) return programs;
  if (major === undefined)
    throw new Error(
      "PostgreSQL 15 or newer is missing: apt-get install --no-install-recommends postgresql",
    );
  throw new Error(
    `the data in ${dir} was made by PostgreSQL ${major}, which is not here any more: install it, or remove ${dir}`,
  );
}

/** Returns the PostgreSQL version of existing data. */
async function readMajor(dir: string): Promise<number | undefined> {
  const text = await readFile(join(dir, "data", "PG_VERSION"), "utf8").catch(() => undefined);
  return text === undefined ? undefined : Number.parseInt(text, 10);
}

/**
 * Returns the user as whom root runs PostgreSQL, which refuses to run as root: Debian's user for
 * it; a machine without its package has at least nobody. Undefined unless this process runs as
 * root.
 */
export async function unprivilegedUser(): Promise<string | undefined> {
  if (geteuid?.() !== 0) return undefined;
  const users = await readFile("/etc/passwd", "utf8").catch(() => "");
  return /^postgres:/m.test(users) ? "postgres" : "nobody";
}

async function prepareDir(dir: string, user: string | undefined): Promise<void> {
  await mkdir(dir, { recursive: true });
  if (user === undefined) return;
  await requirePassage(dir, user);
  await runCommand("chown", [`${user}:`, dir]);
}

async function requirePassage(path: string, user: string): Promise<void> {
  for (let parent = dirname(path); parent !== dirname(parent); parent = dirname(parent)) {
    const { mode } = await stat(parent);
    if ((mode & 0o001) === 0)
      throw new Error(
        `PostgreSQL does not run as root, and user ${user} cannot pass through ${parent} to ${path}: start as another user, or elsewhere`,
      );
  }
}

/** Under another name first: an initdb that was interrupted must not look like a database. */
async function initData(
  initdb: string,
  dataDir: string,
  env: Readonly<Record<string, string>>,
  user: string | undefined,
) {
  const unfinished = `${dataDir}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await runCommand(
    initdb,
    // No sync: it guards against a power cut in the first seconds, not against our kills.
    [
      "-D",
      unfinished,
      "--username=postgres",
      "--auth=trust",
      "--encoding=UTF8",
      "--locale=C",
      "--no-sync",
    ],
    { cwd: dirname(dataDir), env, user },
  );
  await rename(unfinished, dataDir);
}

export async function answersSql(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on("error", () => undefined); // a connection cut while we ask is only "not yet"
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } finally {
    await client.end();
  }
}

/**
 * A killed postmaster leaves its pid file and, for moments, its backends, which block a new start.
 * PostgreSQL recognises a stale pid file by itself unless the number now belongs to another
 * process; that case and the backends are seen to here. Every server process has the data directory
 * as its working directory, by which it is identified; this needs /proc.
 */
async function clearLeftovers(dataDir: string): Promise<void> {
  if (platform !== "linux") return;
  const pidFile = join(dataDir, "postmaster.pid");
  const postmaster = Number((await readFile(pidFile, "utf8").catch(() => "")).split("\n")[0]);
  if ((await serverPids(dataDir)).includes(postmaster)) {
    throw new Error(`a PostgreSQL with pid ${postmaster} is already running in ${dataDir}`);
  }
  const isClear = async () => (await serverPids(dataDir)).length === 0;
  try {
    await waitUntil("orphaned backends are gone", isClear, { timeoutMs: LEFTOVER_GRACE_MS });
  } catch {
    for (const pid of await serverPids(dataDir)) signalIfThere(pid, "SIGKILL");
    await waitUntil("killed backends are gone", isClear, { timeoutMs: LEFTOVER_GRACE_MS });
  }
  await rm(pidFile, { force: true }); // nobody is left who could mean it
}

/** Every process of the server on this data directory, by its real path. */
export async function serverPids(dataDir: string): Promise<number[]> {
  const pids = (await readdir("/proc")).map(Number).filter((pid) => pid > 0);
  const owned = await Promise.all(
    pids.map(async (pid) => {
      // Unreadable: it has just ended, is a zombie, or belongs to somebody else.
      const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => "");
      const exe = await readlink(`/proc/${pid}/exe`).catch(() => "");
      return cwd === dataDir && basename(exe).startsWith("postgres");
    }),
  );
  return pids.filter((_, index) => owned[index] === true);
}

export function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended in between.
  }
}
