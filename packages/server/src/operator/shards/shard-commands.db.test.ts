import { afterAll, beforeAll, expect, test } from "vitest";
import { operateOn } from "../../../test/harness/operate.ts";
import { openShardsBed, type ShardsBed } from "../../../test/harness/shards-bed.ts";

let shards: ShardsBed;
beforeAll(async () => {
  shards = await openShardsBed();
});
afterAll(() => shards[Symbol.asyncDispose]());

test("a command moves an account, leaves one of it to be found, and says who moved it", async () => {
  const databases = shards.beds.map(({ database }) => database);
  const [first, target] = [shards.beds[0].database, shards.beds[1].database];
  const urls = {
    SHARDS: databases.map(({ serviceUrl }) => serviceUrl).join(),
    SHARD_OWNERS: databases.map(({ ownerUrl }) => ownerUrl).join(),
  };
  const operate = (...args: string[]) => operateOn(first, urls, "account", ...args);
  const { id } = await shards.beds[0].openAccount();
  const nowhere = await operate("move", "--account", id, "--to", "2");
  expect(nowhere).toMatchObject({ code: 2, text: expect.stringContaining("from 0 to 1") });

  const moved = await operate("move", "--account", id, "--to", "1");
  expect(moved.text).toContain("refused_ms");
  expect(moved.code).toBe(0);
  const found = await operate("find", "--name", "TES");
  expect(found.text.match(new RegExp(id, "g"))).toHaveLength(1);
  expect((await operate("find", "--name", id)).text).toContain(id);
  const audit = "select before, after from audit_entries where action = 'account.move'";
  expect(await target.sql(audit)).toEqual([{ before: { shard: 0 }, after: { shard: 1 } }]);
  expect(await first.sql("select from transfers where account_id = $1", [id])).toEqual([]);

  const again = await operate("move", "--account", id, "--to", "1");
  expect(again).toMatchObject({ code: 0, text: expect.stringContaining("no") });
}, 180_000);
