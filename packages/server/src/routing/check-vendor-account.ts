import { type Answer, call } from "../vendors/call.ts";
import type { VendorAccount } from "../vendors/vendor.ts";

const checkMsMax = 15_000;

/** The advice for a key that is stored. It is omitted for one that is being stored. */
export const rotateAdvice = ": rotate its key";

export interface VendorAccountCheck {
  works: boolean;
  /** The result in words, for operators. */
  result: string;
}

/** Makes a call that costs nothing, and says what works. */
export async function checkVendorAccount(
  vendorAccount: VendorAccount,
): Promise<VendorAccountCheck> {
  const { url, headers } = vendorAccount.freeCall();
  const answer = await call({ method: "GET", url, headers, totalMsMax: checkMsMax });
  return describe(answer, new URL(url).host);
}

function describe(answer: Answer, host: string): VendorAccountCheck {
  const no = (result: string): VendorAccountCheck => ({ works: false, result });
  if (answer.kind === "unsent")
    return no(`${host} cannot be reached (${answer.detail}): check the base URL and the network`);
  if (answer.kind === "lost") return no(`${host} gave no usable answer (${answer.detail})`);
  const { status, json } = answer;
  const isBadKey = status === 400 && JSON.stringify(json ?? "").includes("API_KEY_INVALID"); // Gemini's
  if (status === 401 || status === 403 || isBadKey)
    return no(`${host} is reached and refuses the key (${status})${rotateAdvice}`);
  if (status === 404)
    return no(`${host} is reached and does not know the call (404): check the base URL`);
  if (status === 429)
    return { works: true, result: `${host} is reached and knows the key, but throttles (429)` };
  if (status >= 200 && status < 300 && typeof json === "object")
    return { works: true, result: `${host} is reached and accepts the key` };
  return no(`${host} is reached and answers ${status}`);
}
