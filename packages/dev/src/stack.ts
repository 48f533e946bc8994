import { join } from "node:path";
import { openAccounts } from "./open-accounts.ts";
import { type AdminCall, createAdmin, issueServiceKey } from "./open-admin.ts";
import { type DatabaseUrls, prepareDatabase, runOperator } from "./prepare-database.ts";
import {
  sandboxAssets,
  sandboxVendors,
  type VendorTimes,
  type VendorUrls,
} from "./sandbox-vendors.ts";
import { databaseOnlySettings } from "./server-settings.ts";
import { freePort } from "./services/ports.ts";
import { type Postgres, startPostgres } from "./services/postgres.ts";
import type { RunningProcess } from "./services/process.ts";
import {
  partitionsUsual,
  type Restate,
  type RestatePorts,
  startRestate,
} from "./services/restate.ts";
import { type SandboxControl, startSandboxProcess } from "./start-sandbox.ts";
import { type Env, type ServerOptions, serverPackage, startServer } from "./start-server.ts";

/** The ports on loopback at which the parts of the stack listen. */
export interface StackPorts {
  readonly api: number;
  readonly worker: number;
  readonly sandbox: number;
  /** The port of the sandbox's links. */
  readonly sandboxLinks: number;
  readonly postgres: number;
  readonly restate: RestatePorts;
}

export interface StackOptions {
  /** Holds everything that the stack writes. */
  readonly dir: string;
  /** Free ones unless given. */
  readonly ports?: StackPorts;
  /** Ports of their metrics; without them, none. */
  readonly opsPorts?: Readonly<Record<"api" | "worker", number>>;
  /** Another copy of the server's package, which api and worker run from. */
  readonly serverDir?: string | undefined;
  /** The copy whose schema the database has; this one unless given. */
  readonly schemaDir?: string | undefined;
  /** The time for api and worker to stop before they are killed. */
  readonly stopGraceMs?: number | undefined;
  /** Added to the settings of api and worker; S3 settings replace the disk folder. */
  readonly serverEnv?: Env;
  /** The times of every vendor account. */
  readonly vendorTimes?: VendorTimes;
  readonly vendorUrls?: VendorUrls;
  readonly sandboxEnv?: Env;
  readonly restateEnv?: Env;
  /** An engine that runs already, and that the stack does not stop. */
  readonly restate?: Restate;
  readonly postgresSettings?: Readonly<Record<string, string | number>>;
  /** A server that is already running; the stack does not stop it. */
  readonly postgres?: Postgres;
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
  readonly sandboxControl: SandboxControl;
  /** The sandbox's own record of jobs and callbacks, one JSON object per line. */
  readonly sandboxLog: string;
  /** The database as its owner. */
  readonly databaseOwnerUrl: string;
  /** The database as the service. */
  readonly databaseUrl: string;
  readonly serverEnv: Env;
  /** Runs a command of the server: those that need the database itself. */
  operate(...args: string[]): Promise<Record<string, unknown>>;
  readonly admin: AdminCall;
  openAccount(options: AccountOptions): Promise<{ accountId: string; key: string }>;
  /**
   * Starts another process of the server with these settings changed, on a separate port and in a
   * separate work folder.
   */
  startServer(server: ExtraServer): Promise<ServerProcess>;
  stop(): Promise<void>;
}

export interface ExtraServer {
  readonly role: "api" | "worker";
  readonly name: string;
  readonly env?: Env;
  /** The stack's unless given. */
  readonly serverDir?: string;
  /**
   * Whether the engine gets to know this worker. One that it does not know still runs the loops
   * over rows.
   */
  readonly isRegistered?: boolean;
  readonly stopGraceMs?: number;
}

export interface ServerProcess extends RunningProcess {
  /** The address of an api. */
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

  progress("PostgreSQL, Restate and the sandbox");
  const [{ postgres, urls }, restate, emulated] = await Promise.all([
    startDatabase(options, started),
    options.restate ?? startEngine(options, started),
    startSandboxProcess(sandboxEnv(options), dir),
  ]);
  const { process: sandbox, url: sandboxUrl, journal: sandboxLog } = emulated;
  const { control: sandboxControl } = emulated;
  started.use(sandbox);

  progress("api and worker");
  const vendors = sandboxVendors(sandboxUrl, options.vendorTimes, options.vendorUrls);
  const serverEnv = await serverSettings(options, urls.service, restate, sandboxUrl, vendors);
  const apiUrl = `http://127.0.0.1:${serverEnv["API_PORT"]}`;
  const { serverDir = serverPackage, opsPorts, stopGraceMs } = options;
  const processOptions = { dir, serverDir, stopGraceMs };
  const start = (role: "api" | "worker") => {
    const ops = opsPorts === undefined ? {} : { OPS_PORT: String(opsPorts[role]) };
    return startServer({ role, env: { ...serverEnv, ...ops }, ...processOptions });
  };
  const [api, worker] = await Promise.all([start("api"), start("worker")]);
  started.use(api);
  started.use(worker);

  const { KEY_RING = "", PUBLIC_URL = "" } = serverEnv;
  const operate = (...args: string[]) => runOperator(urls, args, { KEY_RING, PUBLIC_URL });
  const everything = started.move();
  const startAnother = async (extra: ExtraServer) =>
    everything.use(await startExtraServer({ ...processOptions, serverEnv }, extra));
  const stop = () => everything.disposeAsync();
  return {
    postgres,
    restate,
    sandbox,
    api,
    worker,
    apiUrl,
    sandboxUrl,
    sandboxLog,
    serverEnv,
    sandboxControl,
    databaseOwnerUrl: urls.owner,
    databaseUrl: urls.service,
    operate,
    admin: createAdmin(apiUrl, () => issueServiceKey(urls.owner)),
    openAccount: (account) => openAccount(urls.owner, account),
    startServer: startAnother,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function startEngine(
  { dir, ports, restateEnv = {} }: StackOptions,
  started: AsyncDisposableStack,
): Promise<Restate> {
  const engine = { dir: join(dir, "restate"), env: restateEnv, ports: ports?.restate };
  return started.use(await startRestate(engine));
}

async function startDatabase(
  { dir, ports, postgresSettings = {}, postgres: provided, schemaDir }: StackOptions,
  started: AsyncDisposableStack,
): Promise<{ postgres: Postgres; urls: DatabaseUrls }> {
  const port = ports?.postgres;
  const settings = { dir: join(dir, "postgres"), settings: postgresSettings, port };
  const postgres = provided ?? started.use(await startPostgres(settings));
  return { postgres, urls: await prepareDatabase(postgres, "zoetrope", schemaDir) };
}

function sandboxEnv({ ports, sandboxEnv: provided = {} }: StackOptions): Env {
  if (ports === undefined) return provided;
  const own = {
    SANDBOX_PORT: String(ports.sandbox),
    SANDBOX_LINK_PORT: String(ports.sandboxLinks),
  };
  return { ...own, ...provided };
}

async function serverSettings(
  { dir, ports, serverEnv = {} }: StackOptions,
  databaseUrl: string,
  restate: Restate,
  sandboxUrl: string,
  vendors: string,
): Promise<Env> {
  const { STORAGE_DIR, ...base } = await databaseOnlySettings(dir, databaseUrl, ports);
  return {
    ...base,
    ...(serverEnv["S3_BUCKET"] === undefined ? { STORAGE_DIR } : {}),
    RESTATE_INGRESS_URL: restate.ingressUrl,
    RESTATE_ADMIN_URL: restate.adminUrl,
    ENGINE_PARTITIONS: String(partitionsUsual),
    WORKER_URL: `http://127.0.0.1:${base.WORKER_PORT}`,
    VENDORS: vendors,
    ARK_ASSETS: sandboxAssets(sandboxUrl),
    ...serverEnv,
  };
}

async function startExtraServer(
  { serverEnv, ...stack }: Omit<ServerOptions, "role" | "env"> & { serverEnv: Env },
  { role, name, env = {}, isRegistered = false, ...different }: ExtraServer,
): Promise<ServerProcess> {
  const processOptions = { ...stack, ...different };
  const { RESTATE_ADMIN_URL = "", WORKER_URL = "", ...shared } = serverEnv;
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const workDir = join(processOptions.dir, `${name}-work`);
  const own = {
    ...(role === "api"
      ? { API_PORT: port, RESTATE_ADMIN_URL, WORKER_URL }
      : {
          WORKER_PORT: port,
          WORK_DIR: workDir,
          ...(isRegistered ? { RESTATE_ADMIN_URL, WORKER_URL: url } : {}),
        }),
  };
  const settings = { ...shared, ...own, ...env };
  const running = await startServer({ ...processOptions, role, name, env: settings });
  return Object.assign(running, { url, workDir });
}

/** Opens an account as an operator does; three requests would take longer. */
async function openAccount(databaseUrl: string, account: AccountOptions) {
  const [opened] = await openAccounts(databaseUrl, [{ openTasksMax: 3, ...account }]);
  if (opened === undefined) throw new Error("no account was opened");
  return opened;
}
