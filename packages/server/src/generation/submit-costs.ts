import type { Charge } from "../batches/claim-submits.ts";
import type { JobEnd } from "../batches/save-ends.ts";
import type { RecordedCost, Used } from "../db/tables/tasks.ts";
import type { ModelRequest } from "../models/request.ts";
import { type CostBooks, recordableCost } from "../prices/cost-books.ts";
import { costFactsOf } from "../prices/cost-facts.ts";
import type { VendorsContext } from "../tasks/context.ts";
import type { OpenTask } from "../tasks/open-task-queries.ts";
import { listCharges } from "../tasks/submit-queries.ts";
import type { Usage } from "../vendors/read-usage.ts";
import type { VendorAccount } from "../vendors/vendor.ts";
import type { Submit } from "./transition.ts";

interface CostsContext {
  costs: CostBooks;
}

/** Returns by what a submit will be charged. Until its end is known it counts with its estimate. */
export function chargeOf(
  { costs }: CostsContext,
  { name: vendorAccount, vendor }: VendorAccount,
  request: ModelRequest,
): Charge {
  const vendorModel = vendor.modelOf(request);
  const facts = costFactsOf(request);
  const submit = { model: vendorModel, facts, end: "unknown" } as const;
  const cost = recordableCost(costs, { vendorAccount, at: costs.now(), usage: null }, submit);
  return { vendorModel, facts, cost };
}

/** Returns what a submit has used and what that costs, where the response to it is its end. */
export function usedBy(
  { costs }: CostsContext,
  { request }: Pick<OpenTask, "request">,
  { name: vendorAccount, vendor }: VendorAccount,
  { startedAt: at }: Pick<Submit, "startedAt">,
  { end, usage }: { end: "succeeded" | "failed"; usage: Usage | null },
): Used {
  const submit = { model: vendor.modelOf(request), facts: costFactsOf(request), end };
  return { usage, cost: recordableCost(costs, { vendorAccount, at, usage }, submit) };
}

/**
 * Returns the ends of jobs with what they cost. Without a cost book nothing is read. Never rejects: a cost that
 * cannot be computed delays no task.
 */
export async function withCosts(
  ctx: VendorsContext,
  ends: readonly JobEnd[],
): Promise<readonly JobEnd[]> {
  if (ends.length === 0 || ctx.costs.current().size === 0) return ends;
  try {
    const taskIds = ends.map(({ taskId }) => taskId);
    const charges = await listCharges(ctx.db, taskIds);
    return ends.map((end) => ({ ...end, cost: costOfEnd(ctx, end, charges) }));
  } catch (error) {
    ctx.log.warn({ event: "cost.unknown", reason: String(error) });
    return ends;
  }
}

function costOfEnd(
  { costs }: CostsContext,
  { taskId, failureCode, usage = null }: JobEnd,
  charges: Awaited<ReturnType<typeof listCharges>>,
): RecordedCost | null {
  const charge = charges.find((one) => one.taskId === taskId);
  if (charge?.model == null || charge.facts === null) return null;
  const { vendorAccount, startedAt: at, model, facts } = charge;
  const end = failureCode === null ? "succeeded" : "failed";
  return recordableCost(costs, { vendorAccount, at, usage }, { model, facts, end });
}
