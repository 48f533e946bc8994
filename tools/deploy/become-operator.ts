import { createHmac } from "node:crypto";
import type { AdminCall } from "../../packages/dev/src/open-admin.ts";

const stepSeconds = 30;
const scopes = ["accounts", "credits", "keys"];

/**
 * Opens the link of `person create-operator` as the console does: sets a password, enrols an authenticator
 * app, and issues a service key, which it returns.
 */
export async function becomeOperator(apiUrl: string, link: string): Promise<string> {
  let cookie = "";
  const post = async (path: string, body: object = {}) => {
    const response = await fetch(`${apiUrl}${path}`, {
      method: "POST",
      headers: { origin: new URL(apiUrl).origin, "content-type": "application/json", cookie },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
    const set = response.headers.getSetCookie().map((one) => one.split(";")[0]);
    if (set.length > 0) cookie = set.join("; ");
    return answer;
  };
  const token = new URL(link).hash.replace("#token=", "");
  const person = { name: "Ada", password: "correct horse battery staple" };
  await post("/api/v1/invitation/accept", { token, ...person });
  const { secret } = await post("/api/v1/me/totp");
  await post("/api/v1/me/totp/confirm", { code: codeOf(String(secret)) });
  const { key } = await post("/api/admin/v1/service-keys", { name: "first", scopes });
  return String(key);
}

/** The current code of an authenticator app (RFC 6238). */
function codeOf(secret: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0"));
  const bytes = bits.join("").match(/.{8}/g) ?? [];
  const key = Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 1000 / stepSeconds)));
  const digest = createHmac("sha1", key).update(step).digest();
  const at = (digest.at(-1) ?? 0) & 0x0f;
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

/** An account with credits. Returns its first API key. */
export async function openFirstAccount(admin: AdminCall): Promise<string> {
  const { accountId } = await admin("POST", "/accounts", { name: "first" });
  const grant = { kind: "grant", credits: 1_000, reason: "first credits" };
  await admin("POST", "/grants", { accountId, ...grant });
  const { key } = await admin("POST", `/accounts/${accountId}/keys`, { name: "first" });
  return String(key);
}
