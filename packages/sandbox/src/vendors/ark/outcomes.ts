import { isNeutral, type NeutralOutcome } from "../../kit/script.ts";
import { ArkError } from "./errors.ts";

interface Wording {
  code: string;
  /** Where the code alone does not tell the outcome from others. */
  message?: string;
  param?: string;
}

/**
 * How Ark says each neutral outcome. No code is documented for an input that cannot be downloaded;
 * reports from the field agree on `InvalidParameter`, told from others by its message alone.
 */
const wordings: Record<NeutralOutcome, Wording> = {
  input_blocked: { code: "InputTextSensitiveContentDetected" },
  output_blocked: { code: "OutputVideoSensitiveContentDetected" },
  copyright_blocked: { code: "OutputVideoSensitiveContentDetected.PolicyViolation" },
  real_person_blocked: { code: "InputImageSensitiveContentDetected.PrivacyInformation" },
  input_unusable: { code: "InvalidImageURL.InvalidFormat", param: "image_url" },
  input_unreachable: {
    code: "InvalidParameter",
    message: "Error while downloading: https://example.com/input.png, status code: 404",
    param: "image_url",
  },
  vendor_refused: { code: "InvalidParameter" },
  vendor_failed: { code: "InternalServiceError" },
  vendor_unavailable: { code: "AccountOverdueError" },
};

/** What a script orders, in Ark's words; a code of Ark's own stays as it is. */
export function scriptedError(outcome: string, told: string): ArkError {
  const wording: Wording = isNeutral(outcome) ? wordings[outcome] : { code: outcome };
  return new ArkError(wording.code, wording.message ?? told, wording.param);
}

/** What really is wrong with an input, in Ark's words. */
export function inputError(outcome: "input_unusable" | "input_unreachable", message: string) {
  const { code, param } = wordings[outcome];
  return new ArkError(code, message, param);
}
