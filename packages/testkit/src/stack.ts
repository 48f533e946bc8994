import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { openAccounts } from "./open-accounts.ts";
import {
  sandboxAssets,
  sandboxVendors,
  type VendorTimes,
  type VendorUrls,
} from "./sandbox-vendors.ts";
import { databaseOnlySettings } from "./server-settings.ts";
import { childEnv } from "./services/command-line.ts";
import { freePort } from "./services/ports.ts";
import { type Postgres, startPostgres } from "./services/postgres.ts";
import type { RunningProcess } from "./services/process.ts";
import { type Restate, startRestate } from "./services/restate.ts";
import { withClient } from "./services/with-client.ts";
import { startSandbox } from "./start-sandbox.ts";
import { type Env, serverPackage, startServer } from "./start-server.ts";

const run = promisify(execFile);
const serverOperator = join(serverPackage, "src/operator/main.ts");

export interface StackOptions {
  /** Holds everything that the stack writes. */
  readonly dir: string;
  readonly apiPort?: number;
  /** Ports of their metrics; without them, none. */
  readonly opsPorts?: Readonly<Record<"api" | "worker", number>>;
  /** Another copy of the server's package, which api and worker run from. */
  readonly serverDir?: string;
  /** Added to the settings of api and worker; S3 settings replace the disk folder. */
  readonly serverEnv?: Env;
  /** Of every vendor account. */
  readonly vendorTimes?: VendorTimes;
  readonly vendorUrls?: VendorUrls;
  readonly sandboxEnv?: Env;
  readonly restateEnv?: Env;
  readonly postgresSettings?: Readonly<Record<string, string | number>>;
  /** Called with what is being started. */
  readonly onProgress?: (what: string) => void;
}

/** The whole service on this machine: real PostgreSQL and Restate, the sandbox, one api, one worker. */
export interface Stack extends AsyncDisposable {
  readonly postgres: Postgres;
  readonly restate: Restate;
  readonly sandbox: RunningProcess;
  readonly api: RunningProcess;
  readonly worker: RunningProcess;
  readonly apiUrl: string;
  readonly sandboxUrl: string;
  /** The sandbox's own record of jobs and callbacks, one JSON object per line. */
  readonly sandboxLog: string;
  /** The database as its owner. */
  readonly databaseOwnerUrl: string;
  /** The database as the service. */
  readonly databaseUrl: string;
  readonly serverEnv: Env;
  operate(...args: string[]): Promise<Record<string, unknown>>;
  openAccount(options: AccountOptions): Promise<{ accountId: string; key: string }>;
  /** Another process of the server with these settings changed, on a port and in a work folder of its own. */
  startServer(server: ExtraServer): Promise<ServerProcess>;
  stop(): Promise<void>;
}

export interface ExtraServer {
  readonly role: "api" | "worker";
  readonly name: string;
  readonly env?: Env;
  /** Of a worker: whether the engine gets to know it. One that it does not know still runs the loops over rows. */
  readonly isRegistered?: boolean;
  readonly stopGraceMs?: number;
}

export interface ServerProcess extends RunningProcess {
  /** Of an api. */
  readonly url: string;
  readonly workDir: string;
}

export interface AccountOptions {
  readonly name: string;
  readonly credits: number;
  readonly openTasksMax?: number;
  readonly schedule?: "A" | "B";
}

export async function startStack(options: StackOptions): Promise<Stack> {
  const { dir } = options;
  const progress = options.onProgress ?? (() => {});
  await using started = new AsyncDisposableStack();

  progress("PostgreSQL and Restate");
  const [postgres, restate] = await Promise.all([
    startPostgres({ dir: join(dir, "postgres"), settings: options.postgresSettings ?? {} }),
    startRestate({ dir: join(dir, "restate"), env: options.restateEnv ?? {} }),
  ]);
  started.use(postgres);
  started.use(restate);

  progress("the database");
  const urls = await prepareDatabase(postgres, "zoetrope");

  progress("sandbox, api and worker");
  const emulated = started.use(await startSandbox(options.sandboxEnv, dir));
  const { process: sandbox, url: sandboxUrl, journal: sandboxLog } = emulated;
  const vendors = sandboxVendors(sandboxUrl, options.vendorTimes, options.vendorUrls);
  const serverEnv = await serverSettings(options, urls.service, restate, sandboxUrl, vendors);
  const apiUrl = `http://127.0.0.1:${serverEnv["API_PORT"]}`;
  const { serverDir = serverPackage, opsPorts } = options;
  const start = (role: "api" | "worker") => {
    const ops = opsPorts === undefined ? {} : { OPS_PORT: String(opsPorts[role]) };
    return startServer({ role, env: { ...serverEnv, ...ops }, dir, serverDir });
  };
  const [api, worker] = await Promise.all([start("api"), start("worker")]);
  started.use(api);
  started.use(worker);

  const { KEY_RING = "" } = serverEnv;
  const operate = (...args: string[]) => runOperator(urls, args, { KEY_RING });
  const everything = started.move();
  const startAnother = async (extra: ExtraServer) =>
    everything.use(await startExtraServer({ dir, serverDir, serverEnv }, extra));
  const stop = () => everything.disposeAsync();
  return {
    ...{ postgres, restate, sandbox, api, worker, apiUrl, sandboxUrl, sandboxLog, serverEnv },
    databaseOwnerUrl: urls.owner,
    databaseUrl: urls.service,
    operate,
    openAccount: (account) => openAccount(urls.owner, account),
    startServer: startAnother,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function serverSettings(
  { dir, apiPort, serverEnv = {} }: StackOptions,
  databaseUrl: string,
  restate: Restate,
  sandboxUrl: string,
  vendors: string,
): Promise<Env> {
  const { STORAGE_DIR, ...base } = await databaseOnlySettings(dir, databaseUrl, apiPort);
  return {
    ...base,
    ...(serverEnv["S3_BUCKET"] === undefined ? { STORAGE_DIR } : {}),
    RESTATE_INGRESS_URL: restate.ingressUrl,
    RESTATE_ADMIN_URL: restate.adminUrl,
    WORKER_URL: `http://127.0.0.1:${base.WORKER_PORT}`,
    VENDORS: vendors,
    ARK_ASSETS: sandboxAssets(sandboxUrl),
    ...serverEnv,
  };
}

async function startExtraServer(
  { serverEnv, ...place }: { dir: string; serverDir: string; serverEnv: Env },
  { role, name, env = {}, isRegistered = false, stopGraceMs = 30_000 }: ExtraServer,
): Promise<ServerProcess> {
  const { RESTATE_ADMIN_URL = "", WORKER_URL: _first, ...shared } = serverEnv;
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const workDir = join(place.dir, `${name}-work`);
  const own = {
    ...(role === "api" ? { API_PORT: port } : { WORKER_PORT: port, WORK_DIR: workDir }),
    ...(isRegistered ? { RESTATE_ADMIN_URL, WORKER_URL: url } : {}),
  };
  const settings = { ...shared, ...own, ...env };
  const running = await startServer({ ...place, role, name, env: settings, stopGraceMs });
  return Object.assign(running, { url, workDir });
}

interface DatabaseUrls {
  readonly owner: string;
  readonly service: string;
}

/** Creates and migrates a database, and the login that the service uses: a member of its role, no more. */
export async function prepareDatabase(postgres: Postgres, name: string): Promise<DatabaseUrls> {
  const login = "zoetrope_app";
  const at = (user: string) => `postgres://${user}@127.0.0.1:${postgres.port}/${name}`;
  const urls = { owner: at("postgres"), service: at(login) };
  await withClient(postgres.url, (db) => db.query(`create database ${name}`));
  await runOperator(urls, ["migrate"]);
  const createLogin = `create role ${login} login in role zoetrope_service`;
  await withClient(urls.owner, (db) => db.query(createLogin)).catch((error: unknown) => {
    if (!String(error).includes("already exists")) throw error;
  });
  return urls;
}

async function runOperator(
  urls: DatabaseUrls,
  args: string[],
  more: Env = {},
): Promise<Record<string, unknown>> {
  const { stdout } = await run(process.execPath, [serverOperator, ...args, "--json"], {
    env: childEnv({ ...more, DATABASE_OWNER_URL: urls.owner, DATABASE_URL: urls.service }),
  });
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** As an operator opens one; the three commands would take seconds. */
async function openAccount(databaseUrl: string, account: AccountOptions) {
  const [opened] = await openAccounts(databaseUrl, [{ openTasksMax: 3, ...account }]);
  if (opened === undefined) throw new Error("no account was opened");
  return opened;
}
