import { isNeutral, type NeutralOutcome } from "../../kit/script.ts";
import type { AssetFailure } from "./inspect-media.ts";

/** The errors of a failed asset. The vendor's vocabulary is not documented: these codes are the sandbox's. */
const failures: Record<NeutralOutcome, readonly [code: string, message: string]> = {
  input_blocked: ["SensitiveContentDetected", "The content did not pass the review."],
  output_blocked: ["SensitiveContentDetected", "The content did not pass the review."],
  copyright_blocked: ["SensitiveContentDetected.PolicyViolation", "Copyright may be infringed."],
  real_person_blocked: [
    "SensitiveContentDetected.PrivacyInformation",
    "The image may show a real person.",
  ],
  input_unusable: ["InvalidParameter.FileFormat", "The file is not of a format that is taken."],
  input_unreachable: ["InvalidParameter.DownloadFailed", "The URL could not be downloaded."],
  vendor_refused: ["InvalidParameter", "The asset is not valid."],
  vendor_failed: ["InternalError", "The asset could not be processed."],
  vendor_unavailable: ["SubscriptionRequired", "This API requires an active subscription."],
};

/** The error that a script asks for; a code of the vendor's own stays as it is. */
export function failureOf(outcome: string): AssetFailure {
  if (!isNeutral(outcome)) {
    return { code: outcome, message: "The sandbox was scripted to answer with this code." };
  }
  const [code, message] = failures[outcome];
  return { code, message };
}
