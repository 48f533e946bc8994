import { mkdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "@zoetrope/dev/services/command-line.ts";
import { serverPids, signalIfThere, unprivilegedUser } from "@zoetrope/dev/services/postgres.ts";
import { answersHttp, startProcess } from "@zoetrope/dev/services/process.ts";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { type MemberAddress, patroniYaml } from "./configuration.ts";

/** One machine of the pair: Patroni and its PostgreSQL. */
export interface PairMember extends AsyncDisposable {
  readonly name: string;
  /** Past HAProxy: the superuser, on the database `postgres`. */
  readonly url: string;
  readonly restUrl: string;
  readonly logFile: string;
  /** Every process of it at once, as when a machine loses its power. */
  kill(): Promise<void>;
  /** Starts Patroni again, which starts or rejoins PostgreSQL. */
  restart(): Promise<void>;
  /** Stops all of its processes where they are: connections stay open and nobody responds. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
}

const goneMsMax = 60_000;
/** A fast shutdown waits for the standby to have everything. */
const stopGraceMs = 60_000;

export async function startMember(
  address: Omit<MemberAddress, "dir">,
  parent: string,
  settings: Readonly<Record<string, string | number>>,
): Promise<PairMember> {
  const user = await unprivilegedUser();
  await mkdir(join(parent, address.name), { recursive: true });
  const dir = await realpath(join(parent, address.name));
  const configFile = join(dir, "patroni.yml");
  await writeFile(configFile, patroniYaml({ ...address, dir }, settings));
  if (user !== undefined) await runCommand("chown", ["-R", `${user}:`, dir]);
  const restUrl = `http://127.0.0.1:${address.restPort}`;
  const patroni = await startProcess({
    name: `patroni ${address.name}`,
    command: "patroni",
    args: [configFile],
    cwd: dir,
    user,
    logFile: join(parent, `${address.name}.log`),
    isReady: answersHttp(`${restUrl}/health`),
    stopGraceMs,
    parentDeathSignal: "SIGTERM", // it stops its PostgreSQL then, which is in a session of its own
  });
  const dataDir = join(dir, "data");
  const signalServer = async (signal: NodeJS.Signals) => {
    for (const pid of await serverPids(dataDir)) signalIfThere(pid, signal);
  };
  const signalAll = async (signal: NodeJS.Signals) => {
    signalIfThere(patroni.pid, signal);
    await signalServer(signal);
    await signalServer(signal); // what the postmaster had just started
  };
  const killServer = () =>
    waitUntil(
      `the processes of ${address.name} are gone`,
      async () => {
        await signalServer("SIGKILL");
        return (await serverPids(dataDir)).length === 0;
      },
      { timeoutMs: goneMsMax },
    );
  return {
    name: address.name,
    restUrl,
    logFile: patroni.logFile,
    url: `postgres://postgres@127.0.0.1:${address.port}/postgres`,
    async kill() {
      const died = patroni.kill();
      await killServer();
      await died;
    },
    restart: () => patroni.restart(),
    freeze: () => signalAll("SIGSTOP"),
    thaw: () => signalAll("SIGCONT"),
    async [Symbol.asyncDispose]() {
      await signalAll("SIGCONT");
      await patroni.stop();
      await killServer();
    },
  };
}
