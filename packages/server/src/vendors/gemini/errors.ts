import type { FailureCode } from "../../errors.ts";
import type { Verdict } from "../read-refusal.ts";
import type { GeminiFault } from "./wire.ts";

/**
 * Both kinds of 429 have the same status and differ only in their message. A used-up rate limit speaks of
 * "plan and billing details", so `billing` proves nothing.
 */
const outOfMoney = /spend(ing)? cap|prepay|credits are depleted/i;
const aboutFile =
  /(process|decode|read)\w* (the )?(input )?image|image (data )?is not valid|mime ?type/i;

export function verdictOf(httpStatus: number, fault: GeminiFault): Verdict | undefined {
  const { status, message, details } = fault;
  // A wrong key is a 400 INVALID_ARGUMENT here.
  const isKey = details.some(({ reason }) => reason?.startsWith("API_KEY_"));
  if (isKey || /^API key /i.test(message)) return "vendor_unavailable";
  if (status === "FAILED_PRECONDITION") return "vendor_unavailable"; // no billing, or not here
  if (httpStatus === 429 && outOfMoney.test(message)) return "vendor_unavailable";
  const isAboutFile = status === "INVALID_ARGUMENT" && aboutFile.test(message);
  return httpStatus === 413 || isAboutFile ? "input_unusable" : undefined;
}

/** Google says when to come back in the body, as `"34.5s"`. */
export function retryDelayMsOf({ details }: GeminiFault): number | null {
  const seconds = details.map(
    ({ retryDelay }) => /^(\d{1,9}(?:\.\d+)?)s$/.exec(retryDelay ?? "")?.[1],
  );
  const found = seconds.find((text) => text !== undefined);
  return found === undefined ? null : Math.ceil(Number(found) * 1000);
}

const failureOfFinish: ReadonlyMap<string, FailureCode> = new Map([
  ["IMAGE_SAFETY", "output_blocked"],
  ["IMAGE_PROHIBITED_CONTENT", "output_blocked"],
  ["SAFETY", "output_blocked"],
  ["PROHIBITED_CONTENT", "output_blocked"],
  ["SPII", "output_blocked"],
  ["BLOCKLIST", "output_blocked"],
  ["IMAGE_RECITATION", "copyright_blocked"],
  ["RECITATION", "copyright_blocked"],
]);

/**
 * Returns why a finished response has no image: NO_IMAGE, IMAGE_OTHER, OTHER, MAX_TOKENS, STOP and the
 * like.
 */
export function failureOfFinishReason(reason: string): FailureCode {
  return failureOfFinish.get(reason) ?? "vendor_failed";
}
