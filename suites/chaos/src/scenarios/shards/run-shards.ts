import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { OpenedAccount } from "@zoetrope/dev/open-accounts.ts";
import { isAlive } from "@zoetrope/dev/services/is-alive.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { collectEvidence } from "../../check/collect-evidence.ts";
import { countViolations, judge } from "../../check/invariants.ts";
import { mergeRows } from "../../check/merge-rows.ts";
import { readRows } from "../../check/rows.ts";
import type { ClientLine } from "../../kit/client-log.ts";
import { sendFinalQueries } from "../../kit/clients/final-queries.ts";
import { newTally, type Shared } from "../../kit/clients/run-client.ts";
import { inScratch } from "../../kit/in-scratch.ts";
import { openLineLog } from "../../kit/json-lines.ts";
import { waitUntilIdle } from "../../kit/open-work.ts";
import { printVerdicts } from "../../kit/print-verdicts.ts";
import { startReceiver } from "../../kit/receiver/start-receiver.ts";
import { secrets } from "../../kit/secrets.ts";
import { runLoad } from "../failover/load.ts";
import { type ShardedStack, startShards } from "./start-shards.ts";
import { watchWrites } from "./watch-writes.ts";

const accountsOfShard = 10;
const perSecond = 4;
const betweenMs = 2_000;
const clientsMsMax = 3_600_000;
const restMsMax = 600_000;
/** Without an accepted write, by the account that moves. */
const refusedMsMax = 1_000;

interface Move {
  account: OpenedAccount;
  gapMs: number;
  refusals: number;
}

/** Accounts of two shards work while they are moved, each there and some back again. */
export function runShards(moves: number): Promise<boolean> {
  return inScratch("shards", (dir) => runIn(dir, moves));
}

async function runIn(dir: string, count: number) {
  await using sharded = await startShards(dir);
  await using receiver = await startReceiver(dir);
  const clientLog = join(dir, "clients.jsonl");
  const log = openLineLog<ClientLine>(clientLog);
  const shared: Shared = {
    apiUrls: sharded.apiUrls,
    receiverUrl: receiver.url,
    log,
    tally: newTally(),
    stop: AbortSignal.timeout(clientsMsMax),
  };
  const moves = await runScenario(sharded, shared, count);
  log.close();
  const { stack, shards, servers } = sharded;
  const movedIds = new Set(moves.map(({ account }) => account.accountId));
  const collected = await collectEvidence({
    databaseUrl: stack.databaseOwnerUrl,
    vendorLog: stack.sandboxLog,
    receiverLog: receiver.requestLog,
    clientLog,
    engineAdminUrl: stack.restate.adminUrl,
    objects: join(dir, "media"),
    searched: [...servers.map(({ logFile }) => logFile), join(dir, "restate")],
    secrets,
    crashes: servers.filter(({ pid }) => !isAlive(pid)).map(({ name }) => name),
  });
  const rows = await Promise.all(shards.map(({ owner }) => readRows(owner)));
  const verdicts = judge({ ...collected, rows: mergeRows(rows, movedIds) });
  printVerdicts(verdicts);
  const breaches = await verifyLedgers(sharded);
  const { sends, unanswered, serverErrors, accepted } = shared.tally;
  print(`\n${sends} sends: ${unanswered} without an answer, ${serverErrors} answered 5xx`);
  const lost = countViolations(verdicts, "I6");
  const doubled = countViolations(verdicts, "I7", "I10", "I11");
  const violations = countViolations(verdicts) + breaches;
  const refusedMs = Math.max(0, ...moves.map(({ gapMs }) => gapMs));
  return {
    hasPassed: violations === 0 && moves.length === count && refusedMs < refusedMsMax,
    lastLine: `moves=${moves.length} tasks=${accepted} lost=${lost} doubled=${doubled} violations=${violations} refused_ms_max=${refusedMs}`,
  };
}

/** Sends the load, moves one account after the other, and waits until nothing is open. */
async function runScenario(sharded: ShardedStack, shared: Shared, count: number): Promise<Move[]> {
  const accounts = await sharded.openAccounts(accountsOfShard);
  const isOver = new AbortController();
  const load = { perSecond, tasksMin: 0, stop: isOver.signal };
  const clients = runLoad(shared, accounts, load);
  const shardOf = new Map(accounts.map((account, n) => [account, n < accountsOfShard ? 0 : 1]));
  const moves: Move[] = [];
  for (let n = 0; n < count; n += 1) {
    await pause(betweenMs);
    // Every third move is that of the account before, back to where it came from.
    const account = n % 3 === 2 ? moves.at(-1)?.account : accounts[(7 * n) % accounts.length];
    if (account === undefined) throw new Error("there is no account");
    const to = 1 - (shardOf.get(account) ?? 0);
    moves.push({ account, ...(await move(sharded, account, to)) });
    shardOf.set(account, to);
    const { accepted, ended } = shared.tally;
    const { gapMs = 0, refusals = 0 } = moves.at(-1) ?? {};
    print(
      `move ${n + 1} to ${to}: ${gapMs} ms without an accepted create, ${refusals} refused; ${accepted} accepted, ${ended} ended`,
    );
  }
  isOver.abort();
  const sent = await clients;
  for (const { owner } of sharded.shards) {
    const parts = { databaseUrl: owner, engineUrl: sharded.stack.restate.adminUrl };
    if (!(await waitUntilIdle(parts, restMsMax))) print("not everything was idle in time");
  }
  await sendFinalQueries(shared, sent);
  return moves;
}

function move({ apiUrls, operate }: ShardedStack, account: OpenedAccount, to: number) {
  return watchWrites(apiUrls, account, async () => {
    const args = ["account", "move", "--account", account.accountId, "--to", String(to)];
    print(`  ${JSON.stringify(await operate(0, ...args))}`);
  });
}

/** Returns the number of breaches in all shards. */
async function verifyLedgers({ shards, operate }: ShardedStack): Promise<number> {
  let breaches = 0;
  for (const shard of shards.keys()) {
    const verified = await operate(shard, "ledger", "verify");
    print(`ledger verify of shard ${shard}: ${JSON.stringify(verified)}`);
    breaches += Number(verified["breaches"]);
  }
  return breaches;
}
