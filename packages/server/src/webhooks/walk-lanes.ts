import type { Db } from "../db/database.ts";
import type { AccountId } from "../ids.ts";
import type { Lane } from "./lanes.ts";
import { listLanes } from "./queries.ts";

const walkLimits = { accountsMax: 512, lanesMax: 128 };
const beforeAll = "00000000-0000-0000-0000-000000000000" as AccountId;

/**
 * Iterates over all lanes in batches. Each batch covers some lanes of every account: an account with
 * thousands of hosts needs many batches, and the others do not wait for it.
 */
export function createLaneWalk(limits = walkLimits) {
  let account = beforeAll;
  /** The hosts at which to continue with accounts that have more lanes than one batch. */
  const hosts = new Map<AccountId, string>();
  return {
    /** `isMore`: this round has not covered all lanes yet. */
    async next(db: Db): Promise<{ due: Lane[]; isMore: boolean }> {
      const { lanes, lastAccount } = await listLanes(db, { account, hosts }, limits);
      const ofAccount = Map.groupBy(lanes, ({ accountId }) => accountId);
      for (const seen of hosts.keys())
        if (seen > account && (lastAccount === null || seen <= lastAccount)) hosts.delete(seen);
      for (const [accountId, accountLanes] of ofAccount) {
        const last = accountLanes.at(-1);
        if (last !== undefined && accountLanes.length === limits.lanesMax)
          hosts.set(accountId, last.host);
      }
      account = lastAccount ?? beforeAll;
      const isMore = lastAccount !== null || hosts.size > 0;
      return { due: lanes.filter(({ isDue }) => isDue), isMore };
    },
  };
}
