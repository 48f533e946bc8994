import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { createLaneWalk } from "./walk-lanes.ts";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed();
});
afterEach(async () => {
  await bed.database.sql("delete from open_deliveries");
});
afterAll(() => bed[Symbol.asyncDispose]());

/** Deliveries of a new account, two to each host, due now or in an hour. */
async function openLanes(hosts: number, due: "now" | "later" = "now"): Promise<string> {
  const { id } = await bed.openAccount({ credits: 0 });
  await bed.database.sql(
    `insert into open_deliveries (delivery_id, account_id, host, next_attempt_at)
     select gen_random_uuid(), $1, 'host-' || host, now() + $3::interval
     from generate_series(1, $2) as host, generate_series(1, 2)`,
    [id, hosts, due === "now" ? "0" : "1 hour"],
  );
  return id;
}

/** Reads batches until a round is over; the lanes of each batch. */
async function walkRound(walk: ReturnType<typeof createLaneWalk>) {
  const batches: string[][] = [];
  for (let isMore = true; isMore; ) {
    const batch = await walk.next(bed.ctx.db);
    batches.push(batch.due.map(({ accountId, host }) => `${accountId} ${host}`));
    isMore = batch.isMore;
  }
  return batches;
}

// Else callbacks of everybody behind it would wait until thousands of lanes have been read.
test("an account that sends to thousands of hosts has some of its lanes in each batch, and all other accounts have theirs", async () => {
  const crowded = await openLanes(3_000);
  const other = await openLanes(1); // ids grow with time: it comes after the crowd
  const walk = createLaneWalk();
  for (let round = 1; round <= 2; round += 1) {
    const batches = await walkRound(walk);
    expect(batches.length).toBeGreaterThan(10);
    for (const seen of batches) expect(seen).toContain(`${other} host-1`);
    const ofCrowded = batches.flat().filter((lane) => lane.startsWith(crowded));
    expect(ofCrowded).toHaveLength(3_000);
    expect(new Set(ofCrowded).size).toBe(3_000);
  }
});

test("a round reaches every account, however few of them one batch holds, and only what is due", async () => {
  const accounts = [await openLanes(3), await openLanes(1), await openLanes(2), await openLanes(5)];
  await openLanes(4, "later");
  const walk = createLaneWalk({ accountsMax: 2, lanesMax: 2 });
  const round = async () => new Set((await walkRound(walk)).flat());
  const all = [3, 1, 2, 5].flatMap((hosts, index) =>
    Array.from({ length: hosts }, (_, host) => `${accounts[index]} host-${host + 1}`),
  );
  expect(await round()).toEqual(new Set(all));
  expect(await round()).toEqual(new Set(all));
});
