import { createHmac, timingSafeEqual } from "node:crypto";

/** The clocks of two machines may differ by this. */
const ageMsMax = 5 * 60_000;

/** Shows a worker that an api of the same deployment sends the request. */
export function workerToken(secret: string, now = Date.now()): string {
  return `${now}.${sign(secret, String(now))}`;
}

export function isWorkerToken(secret: string, token: string): boolean {
  const [sentAt = "", signature = ""] = token.split(".");
  const expected = Buffer.from(sign(secret, sentAt));
  const actual = Buffer.from(signature);
  const isOurs = actual.length === expected.length && timingSafeEqual(actual, expected);
  return isOurs && Math.abs(Date.now() - Number(sentAt)) <= ageMsMax;
}

/** The prefix separates it from other uses of the same secret. */
function sign(secret: string, sentAt: string): string {
  return createHmac("sha256", secret).update(`open file ${sentAt}`).digest("base64url");
}
