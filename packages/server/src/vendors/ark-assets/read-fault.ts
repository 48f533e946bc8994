import type { Answer } from "../call.ts";
import { detailOf } from "../detail.ts";
import type { Fault } from "../read-refusal.ts";

/** `detail` is the vendor's own text: for operators, never for callers. */
export type CallFault =
  | { kind: "refused"; cause: Cause; detail: string } // proven not done, and pointless to repeat as it is
  | { kind: "unavailable"; detail: string } // proven not done: nothing was sent, or not now
  | { kind: "unknown"; detail: string }; // may have been done

/** The cause of a fault: our request, a missing group or asset, or our account and its key. */
type Cause = "request" | "missing" | "account";
type Meaning = Cause | "busy" | "broken";

const signing =
  /^(SignatureDoesNotMatch|Invalid(AccessKey|Timestamp|Authorization|Credential|SecretToken))/;

/** The vendor's codes, first match wins. */
const meaningOfCode: readonly (readonly [RegExp, Meaning])[] = [
  [signing, "account"],
  [/^(SubscriptionRequired|AccessDenied|InvalidActionOrVersion|\w*Quota)/, "account"],
  [/NotFound|NotExist/, "missing"],
  [/^(InvalidParameter|MissingParameter)/, "request"],
  [/^FlowLimitExceeded/, "busy"],
  [/^(Internal|ServiceUnavailable)/, "broken"],
];

/**
 * Returns the meaning of a call that failed. A refusal is proven by a 4xx in the vendor's own form (but 408
 * and 409), or by a code that is known to be one where the status says 200.
 */
export function readFault(answer: Answer, fault: Fault | null): CallFault {
  if (answer.kind === "unsent") return { kind: "unavailable", detail: answer.detail };
  if (answer.kind === "lost") return { kind: "unknown", detail: answer.detail };
  const { status } = answer;
  if (fault === null) return { kind: "unknown", detail: detailOf("status", status) };
  // a mismatch is reported with what was signed
  const detail = detailOf(status, fault.code, signing.test(fault.code) ? "" : fault.message);
  const known = meaningOfCode.find(([pattern]) => pattern.test(fault.code))?.[1];
  const is4xx = status >= 400 && status < 500 && status !== 408 && status !== 409;
  const meaning = known ?? meaningOfStatus(status);
  if (meaning === "broken" || !(is4xx || (status === 200 && known !== undefined)))
    return { kind: "unknown", detail };
  if (meaning === "busy") return { kind: "unavailable", detail };
  return { kind: "refused", cause: meaning, detail };
}

/** Returns the meaning of a status with an undocumented code. */
function meaningOfStatus(status: number): Meaning {
  if (status === 429) return "busy";
  if (status === 404) return "missing";
  return [401, 402, 403].includes(status) ? "account" : "request";
}
