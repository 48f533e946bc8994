import { setTimeout as pause } from "node:timers/promises";
import { inParallel } from "@zoetrope/testkit/in-parallel.ts";
import type { ClientLine, TaskView } from "../../../kit/client-log.ts";
import { type LineLog, openLineLog } from "../../../kit/json-lines.ts";
import { type Answer, type Connections, openConnections } from "./connections.ts";
import {
  type Creates,
  type GeneratorAccount,
  nameOf,
  openCreates,
  type SentTask,
  sample,
} from "./creates.ts";
import { type Read, runClosed, runOpen } from "./loops.ts";
import type { FromGenerator, ToGenerator } from "./messages.ts";

const socketsMax = 512;
const queriesAtOnce = 32;
const triesMax = 60;
const retryMs = 1_000;

interface Generator {
  accounts: readonly GeneratorAccount[];
  creates: Creates;
  reads: Connections;
  log: LineLog<ClientLine>;
}

let generator: Generator | undefined;

async function obey(order: ToGenerator): Promise<FromGenerator> {
  if (order.kind === "start") {
    const { port, accounts, logFile } = order;
    generator = {
      accounts,
      creates: openCreates(openConnections(port, socketsMax), accounts),
      reads: openConnections(port, queriesAtOnce),
      log: openLineLog(logFile),
    };
    return { kind: "started" };
  }
  if (generator === undefined) throw new Error("the generator was not started");
  const { accounts, creates } = generator;
  switch (order.kind) {
    case "closed":
      return { kind: "closed", ...(await runClosed(creates, accounts.length, order)) };
    case "open": {
      const onSegment = (number: number) => post({ kind: "segment", number });
      const loop = { read: readSome(generator), onSegment };
      return {
        kind: "open",
        segments: await runOpen(creates, accounts.length, order.segments, loop),
      };
    }
    case "query":
      return { kind: "query", wrong: await queryAll(generator) };
  }
}

function queryOf({ accounts }: Generator, { account, taskId }: SentTask): string {
  return [
    `GET /api/v1/jobs/queryTask?taskId=${taskId} HTTP/1.1`,
    "host: overload",
    `authorization: Bearer ${accounts[account]?.key}`,
    "\r\n",
  ].join("\r\n");
}

/** A query of the newest task: there is one, since the capacity was measured before. */
function readSome(all: Generator): Read {
  return (done) => {
    const newest = all.creates.sent.at(-1);
    if (newest === undefined) return done("no task");
    all.reads.send(queryOf(all, newest), (answer) => {
      done(answer.body.includes(`"taskId":"${newest.taskId}"`) ? null : nameOf(answer));
    });
  };
}

/**
 * Logs the requests and responses, and each task as it is now. Returns the number of tasks that
 * were not there.
 */
async function queryAll(all: Generator): Promise<number> {
  const { accounts, creates, reads, log } = all;
  const outcomes = await inParallel(queriesAtOnce, creates.sent, async (sent) => {
    const accountId = accounts[sent.account]?.accountId ?? "";
    const { key, taskId, at } = sent;
    log.write({ event: "requested", accountId, key, ...sample, directives: "", callbackUrl: null });
    log.write({ event: "answered", at, accountId, key, status: 200, taskId });
    const { status, body } = await askUntilDecided(reads, queryOf(all, sent));
    if (status !== 200) return false;
    const task = JSON.parse(body) as TaskView;
    log.write({ event: "last", at: Date.now(), accountId, taskId, task });
    return true;
  });
  log.close();
  return outcomes.filter((isThere) => !isThere).length;
}

/**
 * Sends a request until it is decided, as a good client does: one that is refused for a moment is
 * sent again.
 */
async function askUntilDecided(reads: Connections, request: string): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    reads.send(request, resolve);
    const answer = await promise;
    const isRefused = answer.status === 429 || answer.status === 503;
    if (!isRefused || tries === triesMax) return answer;
    await pause(retryMs);
  }
}

function post(message: FromGenerator): void {
  process.send?.(message);
}

process.on("message", (order: ToGenerator) => {
  obey(order).then(post, (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    process.exit(1);
  });
});
process.on("disconnect", () => process.exit());
