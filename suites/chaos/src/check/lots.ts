import type { Evidence, Violation } from "./evidence.ts";
import type { LotRow, LotUseRow, TransferKind } from "./rows.ts";

const directions: Record<TransferKind, -1 | 0 | 1> = {
  grant: 1,
  adjust: 1,
  hold: 0,
  raise: 0,
  capture: -1,
  release: 0,
  expiry: -1,
};

/**
 * I18: an account's credits are what is left in its lots; every transfer that raises credits is a lot, and
 * every one that lowers them was taken out of lots; a lot has given the part of its net that its used
 * credits are of all of its credits. Transfers up to an account's first lot may be from before there were
 * lots.
 */
export function checkLots({ rows }: Evidence): Violation[] {
  const lots = new Map(rows.lots.map((lot) => [lot.id, lot]));
  const usesOfTransfer = Map.groupBy(rows.lotUses, ({ causeId, kind }) => `${causeId} ${kind}`);
  const usesOfLot = Map.groupBy(rows.lotUses, ({ lotId }) => lotId);
  const lotsOf = Map.groupBy(rows.lots, ({ accountId }) => accountId);
  const firstOf = new Map(
    [...lotsOf].map(([id, all]) => [id, Math.min(...all.map(({ number }) => number))]),
  );
  const violations: Violation[] = [];
  const add = (what: string, about: unknown[] = []) => violations.push({ what, rows: about });

  for (const { id, credits } of rows.accounts) {
    const own = lotsOf.get(id);
    if (own === undefined) continue;
    const left = own.reduce((sum, lot) => sum + lot.creditsLeft, 0);
    if (left !== credits) add(`account ${id} has credits ${credits}, its lots ${left}`);
  }
  const isMade = new Set<string>();
  for (const transfer of rows.transfers) {
    const { id, accountId, number, kind, causeId, amount } = transfer;
    const first = firstOf.get(accountId);
    const uses = usesOfTransfer.get(`${causeId} ${kind}`) ?? [];
    usesOfTransfer.delete(`${causeId} ${kind}`);
    const lot = lots.get(id);
    if (lot !== undefined) isMade.add(id);
    const made = lot === undefined ? 0 : lot.credits;
    const change = directions[kind] * amount;
    const isBefore = first === undefined || number <= first;
    const isRight = isBefore
      ? uses.length === 0 && (lot === undefined || made === change)
      : made === Math.max(change, 0) && creditsOf(uses) === Math.max(-change, 0);
    const isOwn = [lot, ...uses].every((row) => row === undefined || row.accountId === accountId);
    if (!isRight || !isOwn)
      add(`a ${kind} of ${amount} made a lot of ${made} and used ${creditsOf(uses)}`, [
        transfer,
        ...uses,
      ]);
  }
  for (const [transfer, uses] of usesOfTransfer) add(`uses of no transfer: ${transfer}`, uses);
  for (const lot of rows.lots) {
    const isFirst = lot.number === firstOf.get(lot.accountId);
    if (!isMade.has(lot.id) && !isFirst) add(`no transfer made lot ${lot.id}`, [lot]);
    const uses = usesOfLot.get(lot.id) ?? [];
    const fault = faultOf(lot, uses);
    if (fault !== null) add(`lot ${lot.id} ${fault}`, [lot, ...uses]);
  }
  for (const use of rows.lotUses)
    if (lots.get(use.lotId)?.accountId !== use.accountId)
      add("a use of no lot of its account", [use]);
  return violations;
}

function faultOf(lot: LotRow, uses: readonly LotUseRow[]): string | null {
  const used = creditsOf(uses);
  if (lot.creditsLeft < 0) return `has ${lot.creditsLeft} left`;
  if (lot.credits - used !== lot.creditsLeft)
    return `of ${lot.credits} says that ${lot.creditsLeft} are left, its uses took ${used}`;
  const given = uses.reduce((sum, { netMinor }) => sum + BigInt(netMinor), 0n);
  const due = (BigInt(lot.netMinor) * BigInt(used)) / BigInt(lot.credits);
  return given === due
    ? null
    : `gave ${given} of ${lot.netMinor}, for ${used} credits it is ${due}`;
}

const creditsOf = (uses: readonly LotUseRow[]) => uses.reduce((sum, use) => sum + use.credits, 0);
