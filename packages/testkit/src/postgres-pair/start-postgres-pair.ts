import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findPrograms } from "@zoetrope/dev/services/find-program.ts";
import { freePort, freePorts } from "@zoetrope/dev/services/ports.ts";
import { answersSql, type Postgres } from "@zoetrope/dev/services/postgres.ts";
import { answersHttp, type RunningProcess, startProcess } from "@zoetrope/dev/services/process.ts";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { haproxyConfig } from "./configuration.ts";
import { type PairMember, startMember } from "./member.ts";

/** Two PostgreSQL servers, of which Patroni keeps one the primary and the other its synchronous standby. */
export interface PostgresPair extends AsyncDisposable {
  /** HAProxy in front of the primary: what clients connect to. */
  readonly front: Postgres;
  readonly members: readonly PairMember[];
  primary(): Promise<PairMember>;
  standby(): Promise<PairMember>;
  /** Waits until there is a primary other than this one. */
  untilReplaced(member: PairMember): Promise<void>;
  /** Waits until the primary expects no standby any more. */
  untilAlone(): Promise<void>;
  /** Waits until one member is the primary and the other its synchronous standby. */
  untilPaired(): Promise<void>;
  /** The planned way: asks Patroni to make the standby the primary. */
  switchOver(): Promise<void>;
}

export interface PairOptions {
  readonly dir: string;
  /** The PostgreSQL settings of both members. */
  readonly settings?: Readonly<Record<string, string | number>>;
}

const pairedMsMax = 300_000;
const answerMsMax = 2_000;
const names = ["one", "two"] as const;

/** Needs Debian's `patroni`, `etcd-server`, `haproxy` and `postgresql`. Everything is on loopback. */
export async function startPostgresPair({
  dir,
  settings = {},
}: PairOptions): Promise<PostgresPair> {
  const programs = await findPrograms(["etcd", "haproxy", "patroni", "pg_rewind"]);
  await mkdir(dir, { recursive: true });
  await using started = new AsyncDisposableStack();
  const etcdPort = await freePort();
  started.use(await startEtcd(programs.etcd, dir, etcdPort));
  const binDir = dirname(programs.pg_rewind);
  const common = { timezone: "UTC", log_timezone: "UTC", max_connections: 200, ...settings };
  const addresses = await Promise.all(
    names.map(async (name) => {
      const [port = 0, restPort = 0] = await freePorts(2);
      return {
        name,
        dir,
        binDir,
        etcdPort,
        port,
        restPort,
      };
    }),
  );
  const members: PairMember[] = [];
  // One after the other: the first one makes the database, the second copies it.
  for (const address of addresses)
    members.push(started.use(await startMember(address, dir, common)));
  const front = started.use(await startFront(programs.haproxy, dir, addresses));
  const pair = { front, members, ...watchPair(members) };
  await pair.untilPaired();
  const everything = started.move();
  return { ...pair, [Symbol.asyncDispose]: () => everything.disposeAsync() };
}

async function startEtcd(command: string, dir: string, port: number): Promise<RunningProcess> {
  const url = `http://127.0.0.1:${port}`;
  const peerUrl = `http://127.0.0.1:${await freePort()}`;
  return startProcess({
    name: "etcd",
    command,
    logFile: join(dir, "etcd.log"),
    args: [
      "--data-dir",
      join(dir, "etcd"),
      "--name",
      "etcd",
      "--enable-v2",
      "--listen-client-urls",
      url,
      "--advertise-client-urls",
      url,
      "--listen-peer-urls",
      peerUrl,
      "--initial-advertise-peer-urls",
      peerUrl,
      "--initial-cluster",
      `etcd=${peerUrl}`,
    ],
    isReady: answersHttp(`${url}/health`),
  });
}

async function startFront(
  command: string,
  dir: string,
  addresses: Parameters<typeof haproxyConfig>[1],
): Promise<Postgres> {
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const configFile = join(dir, "haproxy.cfg");
  await writeFile(configFile, haproxyConfig(port, addresses));
  const running = await startProcess({
    name: "haproxy",
    command,
    args: ["-db", "-f", configFile],
    logFile: join(dir, "haproxy.log"),
    isReady: () => answersSql(url),
  });
  const signal = async (name: NodeJS.Signals) => void process.kill(running.pid, name);
  return Object.assign(running, {
    url,
    port,
    freeze: () => signal("SIGSTOP"),
    thaw: () => signal("SIGCONT"),
  });
}

interface SeenMember {
  name: string;
  role: string;
  state: string;
}

function watchPair(members: readonly PairMember[]) {
  /**
   * Reads the state from any member, since each that responds knows both. A frozen or dead member
   * does not respond.
   */
  const read = () =>
    Promise.any(
      members.map(async ({ restUrl }) => {
        const signal = AbortSignal.timeout(answerMsMax);
        const answer = await fetch(`${restUrl}/cluster`, { signal });
        return ((await answer.json()) as { members: SeenMember[] }).members;
      }),
    );
  const withRole = async (role: string) => {
    const seen = (await read()).find((one) => one.role === role);
    const member = members.find(({ name }) => name === seen?.name);
    if (member === undefined) throw new Error(`no member is ${role}`);
    return member;
  };
  const until = (what: string, isTrue: () => Promise<boolean>) =>
    waitUntil(what, isTrue, { timeoutMs: pairedMsMax, intervalMs: 200 });
  const isPaired = async () => {
    const roles = (await read()).filter(({ state }) => /^(running|streaming)$/.test(state));
    return ["leader", "sync_standby"].every((role) => roles.some((one) => one.role === role));
  };
  const primary = () => withRole("leader");
  return {
    primary,
    standby: () => withRole("sync_standby"),
    untilReplaced: (member: PairMember) =>
      until(`${member.name} is replaced`, async () => (await primary()) !== member),
    untilAlone: () =>
      until("the primary is alone", async () =>
        (await read()).every(({ role }) => role !== "sync_standby"),
      ),
    untilPaired: () => until("the pair is complete", isPaired),
    async switchOver() {
      const leader = await primary();
      const body = JSON.stringify({ leader: leader.name });
      const answer = await fetch(`${leader.restUrl}/switchover`, { method: "POST", body });
      if (!answer.ok) throw new Error(`switchover: ${answer.status} ${await answer.text()}`);
    },
  };
}
