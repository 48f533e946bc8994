import { setTimeout as delay } from "node:timers/promises";
import { isTimeout, isUnavailable } from "../../db/database.ts";
import type { AccountId, Actor } from "../../ids.ts";
import { UsageError } from "../command.ts";
import { activate, writeForwardingRows } from "./activate-account.ts";
import { countClaims } from "./claims-in-flight.ts";
import { copyHistory, type Moment, readMoment } from "./copy-history.ts";
import { readJson } from "./copy-rows.ts";
import { freezeAndDecide, NotYet } from "./freeze-account.ts";
import {
  alignRetention,
  prepareTarget,
  readPurgeMarks,
  requireSameSchema,
} from "./prepare-target.ts";
import { type AccountRow, readAccounts, run, type Side } from "./sides.ts";

/** The steps of a move; each is reported when it is over. */
export type Step =
  | "prepared"
  | "copied"
  | "marked"
  | "frozen"
  | "delivered"
  | "decided"
  | "activated"
  | "directory";

export interface Move {
  source: Side;
  target: Side;
  /**
   * The first shard: it has a forwarding row of every account that lives elsewhere. May be one of the two.
   */
  directory: Side;
  actor: Actor;
  /** The maximum time to wait for submits in flight. */
  claimsMsMax?: number;
  onStep?(step: Step): Promise<void> | void;
}

export interface Moved {
  /** The number of rows that were copied. */
  rows: number;
  /**
   * The time for which writes waited or were refused; null: a move that had been decided before was
   * finished.
   */
  refusedMs: number | null;
}

const claimsMsMaxUsual = 15 * 60_000;
const againMs = 100;
/** Passes over what has changed before the freeze, so that little is left for it. */
const passesMax = 3;

/**
 * Moves an account and its test account to another shard while they work. One that was interrupted is run
 * again: before the decision it begins anew, after it, it is finished.
 *
 *   history is copied, and again what has changed        nobody notices
 *   moving_at: submits do not begin, those under way end new tasks wait for their submit
 *   freeze: the rest is copied; the source decides       writes wait
 *   what was open is made live in the target             writes are refused, and repeated there
 */
export async function moveAccount(move: Move, accountId: AccountId): Promise<Moved> {
  // Two at once would delete each other's copies. The lock ends with its connection, however this ends.
  return move.directory.db.connection().execute(async (connection) => {
    const lock = "hashtextextended('move account ' || $1, 0)";
    const { rows } = await run<{ isOurs: boolean }>(
      connection,
      `select pg_try_advisory_lock(${lock}) as "isOurs"`,
      [accountId],
    );
    if (!rows[0]?.isOurs) throw new UsageError("The account is being moved by another command.");
    try {
      return await moveAlone(move, accountId);
    } finally {
      await run(connection, `select pg_advisory_unlock(${lock})`, [accountId]);
    }
  });
}

async function moveAlone(move: Move, accountId: AccountId): Promise<Moved> {
  const { source, target } = move;
  if (source.shard === target.shard)
    throw new UsageError("The account lives in this shard already.");
  await requireSameSchema(source.db, target.db);
  const accounts = await readAccounts(source.db, accountId);
  const [account] = accounts;
  if (account === undefined) throw new UsageError("There is no account with this id.");
  refuse(account, accountId, target.shard);
  if (account.movedTo === target.shard) {
    await finish(move, accounts);
    return { rows: 0, refusedMs: null };
  }
  await prepareTarget(source, target, accountId);
  await move.onStep?.("prepared");
  const copied = await copyUntilLittle(move, accounts);
  await move.onStep?.("copied");
  const { rows, lockedAt } = await decide(move, accounts, copied.since);
  await move.onStep?.("decided");
  await finish(move, accounts);
  return { rows: copied.rows + rows, refusedMs: Math.round(performance.now() - lockedAt) };
}

function refuse(account: AccountRow, accountId: AccountId, to: number): void {
  if (account.id !== accountId || account.testOf !== null)
    throw new UsageError(
      "This is a test account. It moves together with the one that it belongs to.",
    );
  if (account.isClosed) throw new UsageError("The account is closed.");
  if (account.movedTo !== null && account.movedTo !== to)
    throw new UsageError(`The account lives in shard ${account.movedTo}.`);
}

async function copyUntilLittle(
  { source, target }: Move,
  accounts: readonly AccountRow[],
): Promise<{ rows: number; since: Moment }> {
  const ids = accounts.map(({ id }) => id);
  const sides = { source: source.db, target: target.db };
  const marks = await readPurgeMarks(source.db);
  let rows = 0;
  let since: Moment | null = null;
  let before = Number.POSITIVE_INFINITY;
  for (let pass = 0; pass < passesMax; pass++) {
    const moment = await readMoment(source.db, ids);
    let changed = 0;
    for (const id of ids) changed += await copyHistory(sides, id, since);
    if (pass === 0) await alignRetention(marks, source.db, target.db);
    rows += changed;
    since = moment;
    if (pass > 0 && changed >= before) break; // it comes as fast as it is copied
    before = changed;
  }
  if (since === null) throw new Error("unreachable");
  return { rows, since };
}

/** Everything that only waiting helps against: it is tried again until submits were waited for long enough. */
const isPassing = (error: unknown) =>
  error instanceof NotYet || isTimeout(error) || (error as { code?: unknown }).code === "40P01";

async function decide(move: Move, accounts: readonly AccountRow[], copiedSince: Moment) {
  const { source, target, claimsMsMax = claimsMsMaxUsual } = move;
  const ids = accounts.map(({ id }) => id);
  const until = performance.now() + claimsMsMax;
  let since = copiedSince;
  await run(source.db, "update accounts set moving_at = now() where id = any ($1)", [ids]);
  try {
    await move.onStep?.("marked");
    for (;;) {
      await waitForClaims(source, ids, until);
      const moment = await readMoment(source.db, ids);
      for (const id of ids) await copyHistory({ source: source.db, target: target.db }, id, since);
      since = moment;
      try {
        const onStep = (step: Step) => move.onStep?.(step);
        return await freezeAndDecide({ source, target, accounts, since, onStep });
      } catch (error) {
        if (await isDecided(move, accounts)) return { rows: 0, lockedAt: performance.now() };
        if (!isPassing(error) || performance.now() > until) throw error;
        await delay(againMs);
      }
    }
  } catch (error) {
    // What is waited for in vain, or a failure: the account goes on as before.
    await run(source.db, "update accounts set moving_at = null where id = any ($1)", [ids]);
    throw error;
  }
}

/** Whether the move was decided. The response to the commit may have been lost. */
async function isDecided(
  { source, target }: Move,
  accounts: readonly AccountRow[],
): Promise<boolean> {
  const [account] = accounts;
  if (account === undefined) return false;
  const [now] = await readAccounts(source.db, account.id);
  return now?.movedTo === target.shard;
}

async function waitForClaims(
  source: Side,
  ids: readonly AccountId[],
  until: number,
): Promise<void> {
  for (;;) {
    const claims = await countClaims(source.db, ids);
    if (claims === 0) return;
    if (performance.now() > until)
      throw new Error(
        `${claims} submits of this account have not ended in time. It has not moved; run the command again.`,
      );
    await delay(againMs);
  }
}

/** Finishes the move after the decision: there is no way back, and every step may run twice. */
async function finish(move: Move, accounts: readonly AccountRow[]): Promise<void> {
  const { source, target, directory } = move;
  await untilDone(() => activate(target, accounts, move.actor));
  await move.onStep?.("activated");
  if (directory.shard !== source.shard && directory.shard !== target.shard)
    await untilDone(() => pointDirectory(move, accounts));
  await move.onStep?.("directory");
}

const triesMax = 50;

async function untilDone(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error) || tries === triesMax) throw error;
      await delay(againMs);
    }
}

/** Makes the forwarding row in the directory lead to the target. */
export async function pointDirectory(
  { target, directory }: Pick<Move, "target" | "directory">,
  accounts: readonly AccountRow[],
): Promise<void> {
  const ids = accounts.map(({ id }) => id);
  const text =
    "select to_jsonb(t)::text as row from accounts t where id = any ($1) order by test_of nulls first";
  await writeForwardingRows(directory.db, await readJson(target.db, text, [ids]), target.shard);
}
