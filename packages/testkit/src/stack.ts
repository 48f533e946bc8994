import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client } from "pg";
import {
  sandboxAssets,
  sandboxVendors,
  type VendorTimes,
  type VendorUrls,
} from "./sandbox-vendors.ts";
import { childEnv } from "./services/command-line.ts";
import { freePort } from "./services/ports.ts";
import { type Postgres, startPostgres } from "./services/postgres.ts";
import {
  answersHttp,
  printsLine,
  type ReadyProbe,
  type RunningProcess,
  startProcess,
} from "./services/process.ts";
import { type Restate, startRestate } from "./services/restate.ts";

const run = promisify(execFile);
const packages = fileURLToPath(new URL("../../", import.meta.url));
const serverPackage = join(packages, "server");
const serverOperator = join(packages, "server/src/operator/main.ts");
const sandboxMain = join(packages, "sandbox/src/main.ts");

type Env = Readonly<Record<string, string>>;

export interface StackOptions {
  /** Holds everything that the stack writes. */
  readonly dir: string;
  readonly apiPort?: number;
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
  /** Told what is being started. */
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
  /** Another api process with other settings, on the same database; gives its address. */
  startApi(env: Env): Promise<string>;
  stop(): Promise<void>;
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
  const sandboxUrl = `http://127.0.0.1:${await freePort()}`;
  const sandboxLog = join(dir, "logs", "sandbox-journal.jsonl");
  const sandbox = started.use(await startSandbox(options, sandboxUrl, sandboxLog));
  const apiUrl = `http://127.0.0.1:${options.apiPort ?? (await freePort())}`;
  const workerUrl = `http://127.0.0.1:${await freePort()}`;
  const vendors = sandboxVendors(sandboxUrl, options.vendorTimes, options.vendorUrls);
  const parts = { dir, urls, restate, apiUrl, workerUrl, sandboxUrl, vendors };
  const serverEnv = serverSettings(parts);
  if (options.serverEnv?.["S3_BUCKET"] !== undefined) delete serverEnv["STORAGE_DIR"];
  Object.assign(serverEnv, options.serverEnv);
  const startOne = (role: "api" | "worker", isReady: ReadyProbe) =>
    startRole(options, role, serverEnv, isReady);
  const [api, worker] = await Promise.all([
    startOne("api", answersHttp(`${apiUrl}/health`)),
    startOne("worker", printsLine(/"event":"worker\.registered"/)),
  ]);
  started.use(api);
  started.use(worker);

  const operate = (...args: string[]) => runOperator(urls, args);
  const everything = started.move();
  const startApi = async (env: Env) => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const settings = { ...serverEnv, ...env, API_PORT: new URL(url).port };
    everything.use(await startRole(options, "api", settings, answersHttp(`${url}/health`)));
    return url;
  };
  const stop = () => everything.disposeAsync();
  return {
    ...{ postgres, restate, sandbox, api, worker, apiUrl, sandboxUrl, sandboxLog, serverEnv },
    databaseOwnerUrl: urls.owner,
    databaseUrl: urls.service,
    operate,
    openAccount: (account) => openAccount(operate, account),
    startApi,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function startSandbox(options: StackOptions, url: string, journal: string) {
  const logs = join(options.dir, "logs");
  await mkdir(logs, { recursive: true });
  return startProcess({
    name: "sandbox",
    command: process.execPath,
    args: [sandboxMain],
    env: {
      SANDBOX_PORT: new URL(url).port,
      SANDBOX_DIR: join(options.dir, "sandbox"),
      SANDBOX_LOG: journal,
      ...options.sandboxEnv,
    },
    logFile: join(logs, "sandbox.log"),
    isReady: printsLine(/sandbox\.listening/),
  });
}

function startRole(
  { dir, serverDir = serverPackage }: StackOptions,
  role: "api" | "worker",
  env: Env,
  isReady: ReadyProbe,
) {
  return startProcess({
    name: role,
    command: process.execPath,
    args: [join(serverDir, "src/main.ts"), role],
    env,
    logFile: join(dir, "logs", `${role}.log`),
    isReady,
    stopGraceMs: 30_000,
  });
}

function serverSettings(parts: {
  dir: string;
  urls: DatabaseUrls;
  restate: Restate;
  apiUrl: string;
  workerUrl: string;
  sandboxUrl: string;
  vendors: string;
}): Record<string, string> {
  return {
    DATABASE_URL: parts.urls.service,
    API_PORT: new URL(parts.apiUrl).port,
    PUBLIC_URL: parts.apiUrl,
    RESTATE_INGRESS_URL: parts.restate.ingressUrl,
    RESTATE_ADMIN_URL: parts.restate.adminUrl,
    WORKER_PORT: new URL(parts.workerUrl).port,
    HEALTH_PORT: "0",
    DRAIN_NOTICE_MS: "0",
    WORKER_URL: parts.workerUrl,
    STORAGE_DIR: join(parts.dir, "media"),
    WORK_DIR: join(parts.dir, "work"),
    VENDORS: parts.vendors,
    ARK_ASSETS: sandboxAssets(parts.sandboxUrl),
    VENDOR_CALLBACK_SECRET: randomBytes(32).toString("hex"),
    REQUESTS_PER_MINUTE_MAX: "1000000", // load comes through few keys here
    ALLOW_LOOPBACK: "true",
  };
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
  await runSql(postgres.url, `create database ${name}`);
  await runOperator(urls, ["migrate"]);
  await runSql(urls.owner, `create role ${login} login in role zoetrope_service`).catch(
    (error: unknown) => {
      if (!String(error).includes("already exists")) throw error;
    },
  );
  return urls;
}

async function runSql(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

async function runOperator(urls: DatabaseUrls, args: string[]): Promise<Record<string, unknown>> {
  const { stdout } = await run(process.execPath, [serverOperator, ...args, "--json"], {
    env: childEnv({ DATABASE_OWNER_URL: urls.owner, DATABASE_URL: urls.service }),
  });
  return JSON.parse(stdout) as Record<string, unknown>;
}

async function openAccount(
  operate: Stack["operate"],
  options: AccountOptions,
): Promise<{ accountId: string; key: string }> {
  const { name, credits, openTasksMax, schedule } = options;
  const limit = openTasksMax === undefined ? [] : ["--open-tasks-max", String(openTasksMax)];
  const prices = schedule === undefined ? [] : ["--schedule", schedule];
  const { account } = await operate("account", "create", "--name", name, ...limit, ...prices);
  const owner = ["--account", String(account)];
  await operate(
    "credits",
    "grant",
    ...owner,
    "--credits",
    String(credits),
    "--note",
    "first credits",
  );
  const { key } = await operate("key", "create", ...owner, "--name", name);
  return { accountId: String(account), key: String(key) };
}
