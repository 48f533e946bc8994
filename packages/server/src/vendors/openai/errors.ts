import type { Verdict } from "../read-refusal.ts";
import type { OpenAiFault } from "./wire.ts";

/** No retry within a task's life helps against these, whatever status they come with. */
const outOfMoney =
  /^(insufficient_quota|billing_hard_limit_reached|billing_not_active|\w+_spend_limit_exceeded)$/;
const blocked = /^(moderation_blocked|content_policy_violation)$/;

export function verdictOf(status: number, fault: OpenAiFault): Verdict | undefined {
  const code = fault.code ?? "";
  if (outOfMoney.test(code) || outOfMoney.test(fault.type ?? "")) return "vendor_unavailable";
  if (blocked.test(code)) {
    const isOutput = fault.moderation_details?.moderation_stage === "output";
    return isOutput ? "output_blocked" : "input_blocked";
  }
  const isAboutFile = /^image/.test(fault.param ?? "") || /_image(_|$)|^image_/.test(code);
  return status === 413 || isAboutFile ? "input_unusable" : undefined;
}
