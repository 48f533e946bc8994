import { isNeutral, type NeutralOutcome } from "../../kit/script.ts";
import { DashScopeError } from "./errors.ts";

/**
 * DashScope's code and message for each neutral outcome. It inspects inputs and outputs under one code;
 * the message states which. It is not known to have a gate for real persons: one would be an input
 * that it blocks.
 */
const outcomes: Record<NeutralOutcome, readonly [code: string, message: string]> = {
  input_blocked: ["DataInspectionFailed", "Input data may contain inappropriate content."],
  output_blocked: ["DataInspectionFailed", "Output data may contain inappropriate content."],
  copyright_blocked: [
    "IPInfringementSuspect",
    "Input data is suspected of being involved in IP infringement.",
  ],
  real_person_blocked: ["DataInspectionFailed", "Input data may contain inappropriate content."],
  input_unusable: ["InvalidImage.FileFormat", "Invalid image type, please check the image."],
  input_unreachable: [
    "InvalidParameter.DataInspection",
    "Unable to download the media resource during the data inspection process.",
  ],
  vendor_refused: ["InvalidParameter", "Required parameter(s) missing or invalid."],
  vendor_failed: ["InternalError", "An internal error has occurred, please try again later."],
  vendor_unavailable: [
    "Arrearage",
    "Access denied, please make sure your account is in good standing.",
  ],
};

/** The error that a script asks for; a code of DashScope's own stays as it is. */
export function errorOf(outcome: string): DashScopeError {
  if (!isNeutral(outcome)) {
    return new DashScopeError(outcome, "The sandbox was scripted to answer with this code.");
  }
  return new DashScopeError(...outcomes[outcome]);
}
