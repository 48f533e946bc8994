import { updateForwardingRows } from "../../accounts/forwarding-rows.ts";
import type { Discount } from "../../accounts/queries.ts";
import { type AccountChange, discountOf, updateAccount } from "../../accounts/staff-queries.ts";
import { readOwnLimits, setLibraryLimits } from "../../assets/library-queries.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { ShardContext } from "../../context.ts";
import { inTransaction } from "../../db/database.ts";
import type { AuditValues } from "../../db/tables/audit.ts";
import { ApiError } from "../../errors.ts";
import { withoutUndefined } from "../../http/without-undefined.ts";
import type { AccountId, Actor } from "../../ids.ts";
import type { PriceBooks } from "../../prices/price-books.ts";
import { requireBook } from "../../prices/require-book.ts";
import type { Config } from "../../settings/config.ts";
import { requireOpenAccount } from "./require-account.ts";

interface LibraryChange {
  openAssetsMax?: number | undefined;
  openUploadsMax?: number | undefined;
  storedBytesMax?: number | undefined;
}

type AccountContext = ShardContext & {
  prices: PriceBooks;
  config: Pick<Config, "tasks">;
};

/** Changes name, prices and limits of an account; what is left out stays. */
export async function changeAccount(
  ctx: AccountContext,
  actor: Actor,
  accountId: AccountId,
  change: AccountChange & LibraryChange,
): Promise<void> {
  await requireBook(ctx, change.priceBook);
  refuseLargeDiscount(ctx, change.discount);
  const { openAssetsMax, openUploadsMax, storedBytesMax, ...own } = change;
  const library = withoutUndefined({ openAssetsMax, openUploadsMax, storedBytesMax });
  await inTransaction(ctx.db, async (tx) => {
    const account = await requireOpenAccount(tx, accountId);
    const limits = await readOwnLimits(tx, accountId);
    await updateAccount(tx, accountId, own);
    if (Object.keys(library).length > 0) await setLibraryLimits(tx, accountId, library);
    const before: AuditValues = { ...limits, ...pickOwn(account) };
    const { discount, ...flat } = own;
    const after = withoutUndefined({ ...flat, ...flatDiscount(discount), ...library });
    await recordAudit(tx, actor, {
      accountId,
      action: "account.change",
      object: accountId,
      before: Object.fromEntries(Object.keys(after).map((name) => [name, before[name] ?? null])),
      after,
    });
    // Last: if the directory cannot be changed, nothing is. If this does not commit, the next change mends the name.
    if (own.name !== undefined) await updateForwardingRows(ctx, [accountId], { name: own.name });
  });
}

/** What one person may not take off a price book, one may not take off for an account either. */
function refuseLargeDiscount({ config }: AccountContext, discount: Discount | null | undefined) {
  const most = config.tasks.priceChangePercentMax;
  if (most === null || discount == null || discount.basisPoints <= most * 100) return;
  throw new ApiError("second_person_needed", {
    message: {
      en: `A discount of more than ${most} % needs a second person. Publish a price book with these prices, which another operator approves, and give it to the account.`,
      zh: `超过 ${most} % 的折扣须由另一人批准。请将这些价格发布为价格表，由另一位运营人员批准，再将其设给该账户。`,
    },
  });
}

function pickOwn(account: Awaited<ReturnType<typeof requireOpenAccount>>) {
  const { name, priceBook, openTasksMax, webhookTailHours, testMode } = account;
  const discount = flatDiscount(discountOf(account));
  return { name, priceBook, ...discount, openTasksMax, webhookTailHours, testMode };
}

function flatDiscount(discount: Discount | null | undefined) {
  if (discount === undefined) return {};
  return {
    discountBasisPoints: discount?.basisPoints ?? null,
    discountUntil: discount?.until ?? null,
  };
}
