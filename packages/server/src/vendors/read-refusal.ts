import type { FailureCode } from "../errors.ts";
import type { Answer } from "./call.ts";
import { detailOf } from "./detail.ts";
import type { SubmitResult } from "./vendor.ts";

/** The meaning of a vendor's code for a submit; `throttled` is not accepted now, and perhaps later. */
export type Verdict = FailureCode | "throttled";

/** A submit that brought no job. */
export type Refusal = Exclude<SubmitResult, { kind: "accepted" | "delivered" }>;

export interface Fault {
  code: string;
  message: string;
}

/**
 * Returns the meaning of a submit that did not return a job. Only a 4xx in the vendor's own form proves
 * that nothing was accepted, and a missing connection; everything else is unknown. So are 408 and 409:
 * time-outs and conflicts on the vendor's side, whatever became of the work.
 */
export function readRefusal(
  answer: Answer,
  fault: Fault | null,
  verdictOf: (fault: Fault) => Verdict | undefined,
): Refusal {
  if (answer.kind === "unsent") return { kind: "unavailable", detail: answer.detail };
  if (answer.kind === "lost") return { kind: "unknown", detail: answer.detail };
  const { status, retryAfterMs } = answer;
  const isProof = status >= 400 && status < 500 && status !== 408 && status !== 409;
  if (!isProof || fault === null)
    return { kind: "unknown", detail: detailOf("status", status, fault?.code ?? "") };
  const detail = detailOf(status, `${fault.code}:`, fault.message);
  const verdict = verdictOf(fault) ?? verdictOfStatus(status);
  return verdict === "throttled"
    ? { kind: "throttled", retryAfterMs, detail }
    : { kind: "refused", code: verdict, detail };
}

/** Returns the verdict of a status with an undocumented code. */
function verdictOfStatus(status: number): Verdict {
  if (status === 429) return "throttled";
  return [401, 402, 403, 404].includes(status) ? "vendor_unavailable" : "vendor_refused";
}
