import { setTimeout as pause } from "node:timers/promises";
import { isAlive } from "@zoetrope/dev/services/is-alive.ts";
import type { RunningProcess } from "@zoetrope/dev/services/process.ts";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import {
  primaryFrozen,
  primaryKilled,
  standbyFrozen,
  standbyKilled,
  switchover,
} from "../failover/faults.ts";
import { freeze } from "../outages/freeze.ts";
import type { Deployment } from "./deployment.ts";
import type { Mood } from "./load.ts";
import { cutOff } from "./network.ts";
import type { FaultKind, Part, PlannedFault } from "./plan-faults.ts";

/** The findings of the faults, besides what they did. */
export interface Found {
  /** Processes that were dead before they were killed. */
  crashes: string[];
  /** Writes that a primary accepted although another had taken its place. */
  staleWrites: number;
}

export interface Target extends Deployment {
  readonly found: Found;
  readonly mood: Mood;
}

const restartMsMax = 300_000;
const aheadSeconds = [30, -30, 3_600, -3_600];
const slowCommits = { commit_delay: 100_000, commit_siblings: 0 };

/** Faults of one group come one after the other: one node of three and one database of two may be away. */
export function groupOf({ part, choice }: PlannedFault): string {
  if (part === "api" || part === "worker") return `${part} ${choice < 0.5 ? 1 : 2}`;
  return part === "primary" || part === "standby" ? "database" : part;
}

/** Returns when the part is whole again. */
export function inject(target: Target, fault: PlannedFault): Promise<void> {
  const { kind, part } = fault;
  const injection = injections[`${part} ${kind}`];
  if (injection === undefined) throw new Error(`nothing knows how to inject ${part} ${kind}`);
  return injection(target, fault);
}

type Injection = (target: Target, fault: PlannedFault) => Promise<void>;

const injections: Partial<Record<`${Part} ${FaultKind}`, Injection>> = {
  "api kill": (target, fault) => killed(target, oneOf(target.apis, fault), fault),
  "api freeze": (target, fault) => frozen(oneOf(target.apis, fault).pid, fault),
  "worker kill": (target, fault) => killed(target, oneOf(target.workers, fault), fault),
  "worker freeze": (target, fault) => frozen(oneOf(target.workers, fault).pid, fault),
  "engine kill": engineKilled,
  "engine freeze": async ({ cluster }, fault) =>
    frozen(oneOf(cluster.nodes, fault).process.pid, fault),
  "storage kill": async ({ s3 }, { lastsMs }) => {
    await s3.kill();
    await pause(lastsMs);
    await s3.restart();
  },
  "storage freeze": ({ s3 }, fault) => frozen(s3.pids.at(-1) ?? 0, fault),
  "primary kill": ({ pair }) => primaryKilled(pair),
  "primary freeze": async ({ pair, stack, found }) => {
    const { outcome } = await primaryFrozen(pair, stack.databaseOwnerUrl);
    if (outcome === "accepted") found.staleWrites += 1;
  },
  "primary switchover": ({ pair }) => switchover(pair),
  "standby kill": ({ pair }) => standbyKilled(pair),
  "standby freeze": ({ pair }) => standbyFrozen(pair),
  "engine partition": ({ cluster }, fault) => {
    const { ports } = oneOf(cluster.nodes, fault);
    return isolated([ports.ingress, ports.admin, ports.node], fault);
  },
  "storage partition": ({ s3 }, fault) => isolated([Number(new URL(s3.endpoint).port)], fault),
  "database partition": ({ pair }, fault) => isolated([pair.front.port], fault),
  "primary slow disk": slowDisk,
  "worker full disk": async ({ disk }, { lastsMs }) => {
    await disk.fill();
    await pause(lastsMs);
    await disk.empty();
  },
  "worker clock jump": async ({ clock }, { choice, lastsMs }) => {
    await clock.setAhead(aheadSeconds[Math.floor(choice * aheadSeconds.length)] ?? 0);
    await pause(lastsMs);
    await clock.setAhead(0);
  },
  "vendor slow": ({ mood }, fault) => moody(mood, "slow", fault),
  "vendor lies": ({ mood }, fault) => moody(mood, "lies", fault),
  "receiver storm": ({ receiver }, fault) => frozen(receiver.pid, fault),
};

function oneOf<Item>(items: readonly Item[], { choice }: PlannedFault): Item {
  const item = items[Math.floor(choice * items.length)];
  if (item === undefined) throw new Error("there is nothing to choose from");
  return item;
}

async function killed({ found }: Target, part: RunningProcess, { lastsMs }: PlannedFault) {
  if (!isAlive(part.pid)) found.crashes.push(part.name);
  await part.kill();
  await pause(lastsMs);
  await untilStarted(part.name, () => part.restart());
}

async function engineKilled({ cluster, found }: Target, fault: PlannedFault): Promise<void> {
  const node = oneOf(cluster.nodes, fault);
  if (!isAlive(node.process.pid)) found.crashes.push(node.name);
  await node.process.kill();
  await pause(fault.lastsMs);
  await untilStarted(node.name, () => node.start());
}

/**
 * Starts a process again until it has started, as a supervisor would: it gives up if something that
 * it needs is away.
 */
function untilStarted(name: string, start: () => Promise<void>): Promise<void> {
  const hasStarted = async () => {
    await start();
    return true;
  };
  return waitUntil(`${name} is started`, hasStarted, {
    timeoutMs: restartMsMax,
    intervalMs: 1_000,
  });
}

async function frozen(pid: number, { lastsMs }: PlannedFault): Promise<void> {
  const one = await freeze(pid);
  await pause(lastsMs);
  one.thaw();
}

async function isolated(ports: readonly number[], { lastsMs }: PlannedFault): Promise<void> {
  const cut = await cutOff(ports);
  await pause(lastsMs);
  await cut.heal();
}

/** Every commit takes a tenth of a second. */
async function slowDisk({ pair }: Target, { lastsMs }: PlannedFault): Promise<void> {
  const { url } = await pair.primary();
  const change = (statement: (setting: string) => string) =>
    withClient(url, async (db) => {
      for (const setting of Object.keys(slowCommits)) await db.query(statement(setting));
      await db.query("select pg_reload_conf()");
    });
  await change(
    (name) => `alter system set ${name} = ${slowCommits[name as keyof typeof slowCommits]}`,
  );
  await pause(lastsMs);
  await change((name) => `alter system reset ${name}`);
}

async function moody(mood: Mood, vendor: Mood["vendor"], { lastsMs }: PlannedFault) {
  mood.vendor = vendor;
  await pause(lastsMs);
  mood.vendor = "well";
}
