interface Limits {
  clientsMax: number;
  clientsPerAccountMax: number;
}

/** How many clients wait, and of whom. */
export function createConnectionLimits({ clientsMax, clientsPerAccountMax }: Limits) {
  const clientsOf = new Map<string, number>();
  let total = 0;
  return {
    total: () => total,
    /** Says what is full, if anything; otherwise the client is counted until it leaves. */
    enter(accountId: string): "room" | "account" | null {
      const clients = clientsOf.get(accountId) ?? 0;
      if (total >= clientsMax) return "room";
      if (clients >= clientsPerAccountMax) return "account";
      total += 1;
      clientsOf.set(accountId, clients + 1);
      return null;
    },
    leave(accountId: string): void {
      const left = (clientsOf.get(accountId) ?? 0) - 1;
      total -= 1;
      if (left > 0) clientsOf.set(accountId, left);
      else clientsOf.delete(accountId);
    },
  };
}
