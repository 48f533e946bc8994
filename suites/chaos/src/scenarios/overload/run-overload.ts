import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { alike, openAccounts } from "@zoetrope/dev/open-accounts.ts";
import { nextMessage, startChild } from "@zoetrope/testkit/child.ts";
import { readCpuMs } from "@zoetrope/testkit/cpu-time.ts";
import { formatSpread } from "@zoetrope/testkit/percentile.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { residentMb } from "@zoetrope/testkit/process-tree.ts";
import { judge } from "../../check/invariants.ts";
import { readRows } from "../../check/rows.ts";
import type { ClientLine } from "../../kit/client-log.ts";
import { inScratch } from "../../kit/in-scratch.ts";
import { readLines } from "../../kit/json-lines.ts";
import { printFaults } from "../../kit/tally.ts";
import { endAllTasks } from "./end-all-tasks.ts";
import { type Figures, judgeFigures } from "./figures.ts";
import type { FromGenerator, Segment, SegmentReport, ToGenerator } from "./generator/messages.ts";
import { type OverloadStack, startOverloadStack } from "./overload-stack.ts";

/**
 * The accounts for each second of the load: so many that the count of an account's open tasks stays
 * cheap, because nothing ends before the load is over.
 */
const accountsPerSecond = 3;
const accountsMin = 100;
const warmUpSeconds = 5;
const closedSeconds = 8;
const clientsTried = [16, 32, 64];
const beforeSeconds = 20;
const afterSeconds = 30;
const overloadFactor = 3;
const sampleEveryMs = 1_000;

/** Three times as many creates as the service can accept: what is refused, when, and what is left of the rest. */
export function runOverload(seconds: number): Promise<boolean> {
  return inScratch("overload", (dir) => runIn(dir, seconds));
}

async function runIn(dir: string, seconds: number) {
  await using stack = await startOverloadStack(dir);
  const accounts = await openAccounts(
    stack.databaseOwnerUrl,
    alike(Math.max(accountsMin, accountsPerSecond * seconds), {
      name: "overload",
      credits: 1_000_000_000,
      openTasksMax: 1_000_000,
    }),
  );
  await using generator = startGenerator();
  const logFile = join(dir, "clients.jsonl");
  const named = accounts.map(({ accountId, key }) => ({ accountId, key }));
  await generator.ask({ kind: "start", port: stack.apiPort, accounts: named, logFile }, "started");
  const closed = async (clients: number, forSeconds: number) => {
    const order = { kind: "closed", clients, seconds: forSeconds } as const;
    const { acceptedPerSecond, answers } = await generator.ask(order, "closed");
    print(
      `${clients} clients: ${acceptedPerSecond.toFixed(0)} creates/s ${JSON.stringify(answers)}`,
    );
    return { clients, acceptedPerSecond };
  };

  print(`${accounts.length} accounts; capacity, in a closed loop`);
  await closed(clientsTried[0] ?? 1, warmUpSeconds);
  let best = { clients: 0, acceptedPerSecond: 0 };
  for (const clients of clientsTried) {
    const reached = await closed(clients, closedSeconds);
    if (reached.acceptedPerSecond > best.acceptedPerSecond) best = reached;
  }
  const half = best.acceptedPerSecond / 2;
  const segments = [
    { perSecond: half, seconds: beforeSeconds },
    { perSecond: overloadFactor * best.acceptedPerSecond, seconds },
    { perSecond: half, seconds: afterSeconds },
  ];
  const { reports, residentMb: resident } = await runOpen(stack, generator, segments);
  print("capacity once more");
  const again = await closed(best.clients, closedSeconds);
  const [before, overload, after] = reports;
  if (before === undefined || overload === undefined || after === undefined)
    throw new Error("the generator reported too few segments");
  const checked = await check(stack, generator, logFile);
  const figures: Figures = {
    capacity: { before: best.acceptedPerSecond, after: again.acceptedPerSecond },
    before,
    overload,
    after,
    overloadSeconds: seconds,
    residentMb: resident,
    ...checked,
  };
  const { faults, lastLine } = judgeFigures(figures);
  printFaults("fails:", faults);
  return { hasPassed: faults.length === 0, lastLine };
}

/**
 * Starts the generator as a separate process, so that responses are read when they arrive and its
 * processor time is known.
 */
function startGenerator() {
  const file = fileURLToPath(new URL("generator/main.ts", import.meta.url));
  const child = startChild(file);
  type Kind = FromGenerator["kind"];
  return Object.assign(child, {
    async ask<Wanted extends Kind>(order: ToGenerator, kind: Wanted) {
      type Answer = Extract<FromGenerator, { kind: Wanted }>;
      const isIt = (message: unknown): message is Answer =>
        (message as FromGenerator).kind === kind;
      child.send(order);
      return nextMessage(child, isIt);
    },
  });
}

type Generator = ReturnType<typeof startGenerator>;

const segmentNames = ["half of capacity", "overload", "half again"];

async function runOpen(stack: OverloadStack, generator: Generator, segments: Segment[]) {
  const pids = { api: stack.api.pid, postgres: stack.postgres.pid, generator: generator.pid ?? 0 };
  const reading: Promise<Map<string, number>>[] = [];
  const resident: number[] = [];
  let segment = -1;
  const noteSegment = (message: unknown) => {
    const { kind } = message as FromGenerator;
    if (kind !== "segment") return;
    segment += 1;
    reading.push(readCpuMs(pids));
  };
  const sampling = setInterval(() => {
    if (segment === 1) void residentMb(stack.api.pid).then((mb) => resident.push(mb));
  }, sampleEveryMs);
  generator.on("message", noteSegment);
  const { segments: reports } = await generator.ask({ kind: "open", segments }, "open");
  reading.push(readCpuMs(pids));
  clearInterval(sampling);
  generator.off("message", noteSegment);
  const cpu = await Promise.all(reading);
  for (const [number, report] of reports.entries()) {
    const { perSecond = 0, seconds = 1 } = segments[number] ?? {};
    print(`${segmentNames[number]}: ${perSecond.toFixed(0)} offered a second for ${seconds} s`);
    printReport(report, seconds);
    const used = (name: string) =>
      (cpu[number + 1]?.get(name) ?? 0) - (cpu[number]?.get(name) ?? 0);
    const shares = Object.keys(pids).map(
      (name) => `${name} ${(used(name) / 1_000 / seconds).toFixed(2)}`,
    );
    print(`  processors used: ${shares.join(", ")}`);
  }
  const third = Math.ceil(resident.length / 3);
  const thirds = [0, 1, 2].map((n) => Math.max(...resident.slice(n * third, (n + 1) * third)));
  print(`api during the overload: at most ${thirds.join(", ")} MB in each third`);
  return { reports, residentMb: resident };
}

function printReport(report: SegmentReport, seconds: number): void {
  const { accepted, answers, acceptedMs, refusedMs, readMs } = report;
  print(`  accepted ${(accepted / seconds).toFixed(0)} a second; ${JSON.stringify(answers)}`);
  print(`  accepted: ${formatSpread(acceptedMs)}`);
  if (refusedMs.count > 0) print(`  refused:  ${formatSpread(refusedMs)}`);
  print(`  queries:  ${formatSpread(readMs)}`);
}

/** Ends and queries every task, then judges all invariants. There is no vendor, receiver or engine here. */
async function check(stack: OverloadStack, generator: Generator, logFile: string) {
  const ended = await endAllTasks(stack.databaseOwnerUrl);
  const { wrong } = await generator.ask({ kind: "query" }, "query");
  print(`${ended} tasks ended and queried`);
  const verdicts = judge({
    rows: await readRows(stack.databaseOwnerUrl),
    clients: await readLines<ClientLine>(logFile),
    vendor: [],
    received: [],
    invocations: [],
    objects: new Map(),
    leaks: [],
    crashes: [],
  });
  const violations = verdicts.flatMap(({ id, violations: found }) =>
    found.map(({ what }) => `${id}: ${what}`),
  );
  printFaults("violation", violations);
  return { lost: wrong, violations: violations.length };
}
