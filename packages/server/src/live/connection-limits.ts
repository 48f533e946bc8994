import type { AccountId } from "../ids.ts";

interface Limits {
  clientsMax: number;
  clientsPerAccountMax: number;
}

/** Counts the waiting clients, in total and per account. */
export function createConnectionLimits({ clientsMax, clientsPerAccountMax }: Limits) {
  const clientsOf = new Map<AccountId, number>();
  let total = 0;
  return {
    total: () => total,
    /** Returns the limit that is reached, if any; otherwise counts the client until it leaves. */
    enter(accountId: AccountId): "process" | "account" | null {
      const clients = clientsOf.get(accountId) ?? 0;
      if (total >= clientsMax) return "process";
      if (clients >= clientsPerAccountMax) return "account";
      total += 1;
      clientsOf.set(accountId, clients + 1);
      return null;
    },
    leave(accountId: AccountId): void {
      const left = (clientsOf.get(accountId) ?? 0) - 1;
      total -= 1;
      if (left > 0) clientsOf.set(accountId, left);
      else clientsOf.delete(accountId);
    },
  };
}
