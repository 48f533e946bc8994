import { isNeutral, type NeutralOutcome } from "../../kit/script.ts";
import { FalError } from "./errors.ts";

const flagged: readonly [string, string] = [
  "content_policy_violation",
  "The content could not be processed because it was flagged by a content checker.",
];

/** fal's type and message for each neutral outcome; it has one type for all that it blocks. */
const outcomes: Record<NeutralOutcome, readonly [code: string, message: string]> = {
  input_blocked: flagged,
  output_blocked: flagged,
  copyright_blocked: flagged,
  real_person_blocked: flagged,
  input_unusable: ["unsupported_video_format", "Unsupported video format."],
  input_unreachable: ["file_download_error", "Failed to download the file."],
  vendor_refused: ["value_error", "Value error."],
  vendor_failed: ["internal_server_error", "Internal server error"],
  vendor_unavailable: ["user_locked", "User is locked. Reason: Exhausted balance."],
};

/** The error that a script asks for; a type of fal's own stays as it is. */
export function errorOf(outcome: string): FalError {
  if (!isNeutral(outcome)) {
    return new FalError(outcome, "The sandbox was scripted to answer with this type.");
  }
  return new FalError(...outcomes[outcome]);
}
