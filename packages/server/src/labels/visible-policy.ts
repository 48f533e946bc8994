import type { Context } from "../context.ts";
import type { AccountId, LabelAgreementId, TaskId } from "../ids.ts";
import { labelPolicies } from "../settings/label-policies.ts";
import { findLabelAgreement, hasAgreementEndedSince } from "./agreements/queries.ts";

type PolicyContext = Pick<Context, "config" | "db">;

/** A task, as far as the decision depends on it. */
interface LabelledTask {
  taskId: TaskId;
  accountId: AccountId;
}

/** Whether an output shows its viewers that a model made it; `freed`: an agreement puts that on the customer. */
export type VisibleDuty =
  | { kind: "none" }
  | { kind: "freed"; agreementId: LabelAgreementId }
  | { kind: "due" };

/** Who shows it: the vendor's own mark, or the label that we draw. */
export type VisibleLabel = Exclude<VisibleDuty, { kind: "due" }> | { kind: "ours" | "vendor's" };

/**
 * Returns whether what a model makes for this task gets the visible label. The one place that decides: videos,
 * images and upscales ask here, and the submit to a vendor that can draw its own.
 */
export async function findVisibleDuty(
  { config, db }: PolicyContext,
  { accountId }: LabelledTask,
): Promise<VisibleDuty> {
  if (!labelPolicies[config.labels.policy].visible) return { kind: "none" };
  const agreement = await findLabelAgreement(db, accountId);
  return agreement === null ? { kind: "due" } : { kind: "freed", ...agreement };
}

/** Returns the agreement under which an output has no visible label. */
export function agreementOf(visible: VisibleLabel | VisibleDuty): LabelAgreementId | undefined {
  return visible.kind === "freed" ? visible.agreementId : undefined;
}

/** Returns whether a vendor is asked for its mark: where the label is due, and the operator relies on that mark. */
export async function isVendorMarkDue(
  ctx: PolicyContext,
  task: LabelledTask,
  vendorAccount: { kind: string } | undefined,
): Promise<boolean> {
  return isRelied(ctx, vendorAccount) && (await findVisibleDuty(ctx, task)).kind === "due";
}

/**
 * Returns who shows the viewer that a model made the video of a vendor. A vendor that may not have been asked
 * for its mark has not drawn it: the task was submitted before this process started, and perhaps under other
 * settings, or before an agreement ended.
 */
export async function visibleLabelOf(
  ctx: PolicyContext,
  task: LabelledTask & { submitStartedAt: Date | null },
  vendorAccount: { kind: string } | undefined,
): Promise<VisibleLabel> {
  const duty = await findVisibleDuty(ctx, task);
  if (duty.kind !== "due") return duty;
  const { accountId, submitStartedAt } = task;
  if (!isRelied(ctx, vendorAccount) || submitStartedAt === null) return { kind: "ours" };
  if (submitStartedAt.getTime() <= performance.timeOrigin) return { kind: "ours" };
  const wasFreed = await hasAgreementEndedSince(ctx.db, accountId, submitStartedAt);
  return { kind: wasFreed ? "ours" : "vendor's" };
}

function isRelied({ config }: PolicyContext, vendorAccount: { kind: string } | undefined): boolean {
  return config.labels.visibleByVendor.some((kind) => kind === vendorAccount?.kind);
}
