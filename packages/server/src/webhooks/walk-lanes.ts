import type { Db } from "../db/database.ts";
import type { Lane } from "./lanes.ts";
import { listLanes } from "./queries.ts";

const walkLimits = { accountsMax: 512, lanesMax: 128 };
const beforeAll = "00000000-0000-0000-0000-000000000000";

/**
 * Goes round all lanes, look by look. In each look every account has some of its lanes seen: one that
 * sends to thousands of hosts needs many looks for them, and the others do not wait for that.
 */
export function createLaneWalk(limits = walkLimits) {
  let account = beforeAll;
  /** Where to go on with accounts that have more lanes than one look sees. */
  const hosts = new Map<string, string>();
  return {
    /** `isMore`: there are lanes that this round has not come to yet. */
    async look(db: Db): Promise<{ due: Lane[]; isMore: boolean }> {
      const { lanes, lastAccount } = await listLanes(db, { account, hosts }, limits);
      const ofAccount = Map.groupBy(lanes, ({ accountId }) => accountId);
      for (const seen of hosts.keys())
        if (seen > account && (lastAccount === null || seen <= lastAccount)) hosts.delete(seen);
      for (const [accountId, own] of ofAccount)
        if (own.length === limits.lanesMax) hosts.set(accountId, own.at(-1)?.host ?? "");
      account = lastAccount ?? beforeAll;
      const isMore = lastAccount !== null || hosts.size > 0;
      return { due: lanes.filter(({ isDue }) => isDue), isMore };
    },
  };
}
