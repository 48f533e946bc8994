import { isNeutral, type NeutralOutcome } from "../../kit/script.ts";
import { ArkError } from "./errors.ts";

interface ErrorShape {
  code: string;
  /** The message, where the code alone does not distinguish the outcome. */
  message?: string;
  param?: string;
}

/**
 * Ark's error for each neutral outcome. No code is documented for an input that cannot be
 * downloaded; reports from the field agree on `InvalidParameter`, distinguished by its message
 * alone.
 */
const arkErrors: Record<NeutralOutcome, ErrorShape> = {
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

/** The error that a script asks for; a code of Ark's own stays as it is. */
export function scriptedError(outcome: string, scriptedMessage: string): ArkError {
  const shape: ErrorShape = isNeutral(outcome) ? arkErrors[outcome] : { code: outcome };
  return new ArkError(shape.code, shape.message ?? scriptedMessage, shape.param);
}

/** An actual fault of an input, as Ark's error. */
export function inputError(outcome: "input_unusable" | "input_unreachable", message: string) {
  const { code, param } = arkErrors[outcome];
  return new ArkError(code, message, param);
}
