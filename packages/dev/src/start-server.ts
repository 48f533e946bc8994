import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { answersHttp, printsLine, type RunningProcess, startProcess } from "./services/process.ts";

/** Built or not: the package itself says where its modules are. */
const serverMain = createRequire(import.meta.url).resolve("@zoetrope/server/main.ts");
export const serverPackage = dirname(dirname(serverMain));

/** Settings of a program: all that it sees, apart from PATH and the like. */
export type Env = Readonly<Record<string, string>>;

export interface ServerOptions {
  readonly role: "api" | "worker";
  readonly env: Env;
  /** The log is `logs/<name>.log` in this folder. */
  readonly dir: string;
  /** The role unless given. */
  readonly name?: string;
  /** Another copy of the server's package to run from. */
  readonly serverDir?: string;
  readonly nodeArgs?: readonly string[];
  readonly stopGraceMs?: number | undefined;
}

/**
 * Starts one process of the server. An api is ready when it responds; a worker when the engine
 * knows it, or, where no WORKER_URL is set and the engine never does, when it runs.
 */
export function startServer(options: ServerOptions): Promise<RunningProcess> {
  const { role, env, dir, name = role, serverDir = serverPackage, nodeArgs = [] } = options;
  const main = join(serverDir, relative(serverPackage, serverMain));
  const workerEvent = env["WORKER_URL"] === undefined ? "process.started" : "worker.registered";
  return startProcess({
    name,
    command: process.execPath,
    args: [...nodeArgs, main, role],
    env,
    logFile: join(dir, "logs", `${name}.log`),
    isReady:
      role === "api"
        ? answersHttp(`http://127.0.0.1:${env["API_PORT"]}/health`)
        : printsLine(new RegExp(`"event":"${workerEvent.replace(".", "\\.")}"`)),
    stopGraceMs: options.stopGraceMs ?? 30_000,
  });
}
