import type { Evidence, Violation } from "./evidence.ts";
import type { EntryRow, TransferKind } from "./rows.ts";

/** Which books each kind of transfer moves between; an amount of a raise or adjust may be negative. */
const moves: Record<TransferKind, { from: string; to: string }> = {
  grant: { from: "issued", to: "available" },
  adjust: { from: "issued", to: "available" },
  hold: { from: "available", to: "held" },
  raise: { from: "available", to: "held" },
  capture: { from: "held", to: "revenue" },
  release: { from: "held", to: "available" },
  expiry: { from: "available", to: "issued" },
};

const transferOf = (row: { causeId: string; kind: string }) => `${row.causeId} ${row.kind}`;
const total = (entries: EntryRow[]) => entries.reduce((sum, entry) => sum + entry.amount, 0);

/** I1: entries sum to zero, in all and per transfer, and each transfer moves its own amount. */
export function checkEntriesBalance({ rows }: Evidence): Violation[] {
  const violations: Violation[] = [];
  const byTransfer = Map.groupBy(rows.entries, transferOf);
  const transfers = new Map(rows.transfers.map((row) => [transferOf(row), row]));
  for (const [id, entries] of byTransfer) {
    if (total(entries) !== 0)
      violations.push({ what: `the entries of ${id} sum to ${total(entries)}`, rows: entries });
    if (!transfers.has(id))
      violations.push({ what: `entries without a transfer: ${id}`, rows: entries });
  }
  for (const transfer of rows.transfers) {
    const entries = byTransfer.get(transferOf(transfer)) ?? [];
    const { from, to } = moves[transfer.kind];
    const moved = (book: string) => total(entries.filter((entry) => entry.book === book));
    const isRight =
      entries.length === 2 &&
      moved(from) === -transfer.amount &&
      moved(to) === transfer.amount &&
      entries.every((entry) => entry.accountId === transfer.accountId);
    if (!isRight)
      violations.push({
        what: `a ${transfer.kind} must move ${transfer.amount} from ${from} to ${to}`,
        rows: [transfer, ...entries],
      });
  }
  const sum = total(rows.entries);
  if (sum !== 0) violations.push({ what: `all entries sum to ${sum}`, rows: [] });
  return violations;
}

/** I2: an account's row and its entries agree. */
export function checkCachedSums({ rows }: Evidence): Violation[] {
  const byAccount = Map.groupBy(rows.entries, (entry) => entry.accountId);
  return rows.accounts.flatMap((account) => {
    const entries = byAccount.get(account.id) ?? [];
    const held = total(entries.filter((entry) => entry.book === "held"));
    const credits = held + total(entries.filter((entry) => entry.book === "available"));
    if (account.credits === credits && account.held === held) return [];
    const { id, credits: cachedCredits, held: cachedHeld } = account;
    const what = `account ${id} says credits ${cachedCredits} held ${cachedHeld}, its entries say ${credits} and ${held}`;
    return [{ what, rows: [] }];
  });
}

/** I3: nothing is ever negative: not now and not after any commit in the history of an account. */
export function checkNeverNegative({ rows }: Evidence): Violation[] {
  const violations: Violation[] = [];
  for (const account of rows.accounts) {
    const { credits, held } = account;
    if (credits < 0 || held < 0 || credits < held)
      violations.push({
        what: `account ${account.id} has credits ${credits}, held ${held}`,
        rows: [],
      });
  }
  const entriesOf = Map.groupBy(rows.entries, transferOf);
  for (const [accountId, history] of Map.groupBy(rows.transfers, (row) => row.accountId)) {
    let [available, held] = [0, 0];
    for (const transfer of history) {
      for (const { book, amount } of entriesOf.get(transferOf(transfer)) ?? []) {
        if (book === "available") available += amount;
        if (book === "held") held += amount;
      }
      if (available >= 0 && held >= 0) continue;
      const what = `account ${accountId} had available ${available}, held ${held} after a ${transfer.kind}`;
      violations.push({ what, rows: [transfer] });
      break; // what follows is the same debt
    }
  }
  return violations;
}
