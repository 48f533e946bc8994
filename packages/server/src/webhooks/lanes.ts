import type { AccountId } from "../ids.ts";

/** The deliveries of one account to one host. A slow receiver delays only its own lane. */
export interface Lane {
  accountId: AccountId;
  host: string;
}

export interface InFlight {
  count: number;
  ofLane(lane: Lane): number;
  ofAccount(accountId: AccountId): number;
  ofHost(host: string): number;
}

export interface LaneBounds {
  attemptsMax: number;
  laneMax: number;
  accountMax: number;
  hostMax: number;
}

/** The attempts in progress in this process. */
export function countInFlight() {
  const lanes = new Map<string, number>();
  const accounts = new Map<AccountId, number>();
  const hosts = new Map<string, number>();
  const keyOf = ({ accountId, host }: Lane) => `${accountId} ${host}`;
  const change = <Key>(counts: Map<Key, number>, key: Key, by: number) => {
    const count = (counts.get(key) ?? 0) + by;
    if (count === 0) counts.delete(key);
    else counts.set(key, count);
  };
  let count = 0;
  return {
    get count() {
      return count;
    },
    ofLane: (lane: Lane) => lanes.get(keyOf(lane)) ?? 0,
    ofAccount: (accountId: AccountId) => accounts.get(accountId) ?? 0,
    ofHost: (host: string) => hosts.get(host) ?? 0,
    change(lane: Lane, by: 1 | -1) {
      count += by;
      change(lanes, keyOf(lane), by);
      change(accounts, lane.accountId, by);
      change(hosts, lane.host, by);
    },
  };
}

/**
 * Returns the number of attempts that each lane may start now: one per lane and round until the free
 * attempts are used up or every lane has reached its bounds.
 */
export function shareAttempts<Due extends Lane>(
  lanes: readonly Due[],
  inFlight: InFlight,
  bounds: LaneBounds,
): { lane: Due; rowsMax: number }[] {
  const shares = lanes.map((lane) => ({ lane, rowsMax: 0 }));
  const accounts = new Map<AccountId, number>();
  const hosts = new Map<string, number>();
  let free = bounds.attemptsMax - inFlight.count;
  for (let open = shares; open.length > 0 && free > 0; ) {
    open = open.filter((share) => {
      const { lane } = share;
      const ofAccount = accounts.get(lane.accountId) ?? 0;
      const ofHost = hosts.get(lane.host) ?? 0;
      const isFull =
        free === 0 ||
        inFlight.ofLane(lane) + share.rowsMax >= bounds.laneMax ||
        inFlight.ofAccount(lane.accountId) + ofAccount >= bounds.accountMax ||
        inFlight.ofHost(lane.host) + ofHost >= bounds.hostMax;
      if (isFull) return false;
      share.rowsMax += 1;
      free -= 1;
      accounts.set(lane.accountId, ofAccount + 1);
      hosts.set(lane.host, ofHost + 1);
      return true;
    });
  }
  return shares.filter(({ rowsMax }) => rowsMax > 0);
}
