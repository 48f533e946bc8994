import type { AccountId, TaskId } from "../ids.ts";
import type { Config } from "../settings/config.ts";
import { labelPolicies } from "../settings/label-policies.ts";

interface PolicyContext {
  config: Pick<Config, "labels">;
}

/** A task, as far as the decision depends on it. */
interface LabelledTask {
  taskId: TaskId;
  accountId: AccountId;
}

/**
 * Whether what a model makes for this task gets the visible label. The one place that decides: videos, images
 * and upscales ask here, and the submit to a vendor that can draw its own.
 */
export function isVisibleLabelDue(
  { config }: PolicyContext,
  _task: LabelledTask,
): Promise<boolean> {
  return Promise.resolve(labelPolicies[config.labels.policy].visible);
}

/** Whether a vendor is asked for its own mark: where the label is due, and the operator relies on that mark. */
export async function isVendorMarkDue(
  ctx: PolicyContext,
  task: LabelledTask,
  vendorAccount: { kind: string } | undefined,
): Promise<boolean> {
  const isRelied = ctx.config.labels.visibleByVendor.some((kind) => kind === vendorAccount?.kind);
  return isRelied && (await isVisibleLabelDue(ctx, task));
}

/**
 * Who shows the viewer that a model made the video of a vendor. A task that was submitted before this process
 * started may have been submitted under other settings, without asking the vendor: it gets our label.
 */
export async function visibleLabelOf(
  ctx: PolicyContext,
  task: LabelledTask & { submitStartedAt: Date | null },
  vendorAccount: { kind: string } | undefined,
): Promise<"none" | "ours" | "vendor's"> {
  if (!(await isVisibleLabelDue(ctx, task))) return "none";
  const submittedMs = task.submitStartedAt?.getTime() ?? 0;
  const wasAsked = submittedMs > performance.timeOrigin;
  return wasAsked && (await isVendorMarkDue(ctx, task, vendorAccount)) ? "vendor's" : "ours";
}
