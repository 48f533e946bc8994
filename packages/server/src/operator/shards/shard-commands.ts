import { setTimeout as delay } from "node:timers/promises";
import { searchAccounts } from "../../admin/accounts/search-accounts.ts";
import { openConnections } from "../../db/connections.ts";
import { openDatabase } from "../../db/database.ts";
import { readShard } from "../../db/this-shard.ts";
import { type AccountId, parseId } from "../../ids.ts";
import { readSetting } from "../../settings/environment.ts";
import { shardOwners } from "../../settings/owner-settings.ts";
import { settings } from "../../settings/settings.ts";
import {
  type Commands,
  fail,
  type Options,
  type Report,
  readAccountId,
  readText,
} from "../command.ts";
import { commandActor } from "../command-actor.ts";
import { databaseUrl } from "../with-database.ts";
import { findLiving } from "./find-living.ts";
import { forgetMoved } from "./forget-moved.ts";
import { moveAccount, pointDirectory } from "./move-account.ts";
import { readAccounts, type Side } from "./sides.ts";

export const shardCommands: Commands = {
  "account move": {
    takes: "--account ID --to SHARD",
    does: `moves an account and its test account to another shard while they work; run it again if it was interrupted. Reads ${shardOwners.name}`,
    run: move,
  },
  "account find": {
    takes: "--name TEXT",
    does: "finds accounts in all shards by the beginning of their name or by their id",
    run: find,
  },
};

/** The time after which everything that still runs at the source has ended. */
const graceMs = 10_000;
const connectionsMax = 3;
const foundMax = 50;

async function move(options: Options): Promise<Report> {
  const accountId = readAccountId(options, "account");
  const urls =
    readSetting(shardOwners) ?? fail(`Set ${shardOwners.name} to the shards' PostgreSQL URLs.`);
  const to = readText(options, "to");
  return withSides(urls, async (sides) => {
    const target = sides[Number(to)];
    const [directory] = sides;
    if (target === undefined || directory === undefined || !/^\d+$/.test(to))
      return fail(`--to must be a number from 0 to ${sides.length - 1}.`);
    const living = await findLiving(sides, accountId);
    if (living === undefined) return fail("There is no account with this id.");
    const { side: source, decidedFor } = living;
    if (decidedFor !== null && decidedFor !== target.shard)
      return fail(`A move to shard ${decidedFor} was interrupted: run it again first.`);
    if (source === target) return tidy(sides, { target, directory }, accountId);
    const moved = await moveAccount(
      { source, target, directory, actor: commandActor() },
      accountId,
    );
    await delay(graceMs);
    await forgetMoved(source, accountId);
    const { rows, refusedMs } = moved;
    return {
      facts: [
        { moved: accountId, from: source.shard, to: target.shard, rows, refused_ms: refusedMs },
      ],
    };
  });
}

/**
 * Deletes what an interrupted run has left of an account that has moved: copies, and a forwarding row to its
 * former shard.
 */
async function tidy(
  sides: readonly Side[],
  { target, directory }: { target: Side; directory: Side },
  accountId: AccountId,
): Promise<Report> {
  const accounts = await readAccounts(target.db, accountId);
  if (directory !== target) await pointDirectory({ target, directory }, accounts);
  let deleted = 0;
  for (const side of sides)
    if (side !== target && (await readAccounts(side.db, accountId)).length > 0)
      deleted += await forgetMoved(side, accountId);
  return {
    facts: { account: accountId, shard: target.shard, moved: "no", "deleted-copies": deleted },
  };
}

async function find(options: Options): Promise<Report> {
  const name = readText(options, "name");
  const urls = readSetting(settings.database.shards) ?? [databaseUrl(settings.database.url)];
  const wanted = parseId<AccountId>(name) === undefined ? { name } : { accountId: name };
  return withSides(urls, async (sides) => {
    const found = await Promise.all(
      sides.map(async ({ db, shard }) => {
        const { items } = await searchAccounts(db, { ...wanted, limit: foundMax });
        return items.map(({ id, name: found }) => ({ account: id, name: found, shard }));
      }),
    );
    return { facts: found.flat() };
  });
}

async function withSides(
  urls: readonly string[],
  work: (sides: Side[]) => Promise<Report>,
): Promise<Report> {
  const sides = urls.map((url, shard) => ({
    db: openDatabase(openConnections(url, connectionsMax, "zoetrope operator")),
    shard,
  }));
  try {
    for (const { db, shard } of sides) await requireShardNumber(db, shard);
    return await work(sides);
  } finally {
    for (const { db } of sides) await db.destroy();
  }
}

async function requireShardNumber(db: Side["db"], number: number): Promise<void> {
  const shard = await readShard(db);
  if (shard !== number)
    fail(`The database in place ${number} is shard ${shard}: list the shards in their order.`);
}
