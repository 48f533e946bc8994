import { recordAudit } from "../../audit/record-audit.ts";
import { inTransaction } from "../../db/database.ts";
import { invalid } from "../../errors.ts";
import type { Actor } from "../../ids.ts";
import type { CostDocument } from "../../prices/cost-document.ts";
import { insertCosts } from "../../prices/cost-queries.ts";
import { storedActor } from "../actor.ts";
import type { AdminContext } from "../context.ts";

interface CostsInput {
  vendorAccount: string;
  document: CostDocument;
  /** Null: from now on. In the past it corrects the versions before it for the submits that follow. */
  validFrom: Date | null;
  reason: string;
}

/** Publishes the next version of a vendor account's cost book. Every process knows it within seconds. */
export async function publishCosts(
  ctx: Pick<AdminContext, "directory" | "vendors" | "refreshVendors" | "costs">,
  actor: Actor,
  input: CostsInput,
): Promise<{ version: number; validFrom: Date }> {
  const { vendorAccount, document, validFrom, reason } = input;
  if (!ctx.vendors.has(vendorAccount)) await ctx.refreshVendors();
  if (!ctx.vendors.has(vendorAccount))
    throw invalid("vendorAccount", "must be the name of a vendor account");
  return inTransaction(ctx.directory.db, async (tx) => {
    const by = storedActor(actor);
    const published = await insertCosts(tx, { vendorAccount, document, validFrom, by, reason });
    await recordAudit(tx, actor, {
      accountId: null,
      action: "costs.publish",
      object: `${vendorAccount}@${published.version}`,
      after: {
        currency: document.currency,
        models: Object.keys(document.models).length,
        validFrom: published.validFrom.toISOString(),
      },
      reason,
    });
    return published;
  });
}
