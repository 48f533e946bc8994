import { signWebhook } from "@zoetrope/sdk";
import { expect } from "vitest";

export type Send = (body: string, headers: Record<string, string>) => Promise<number>;

/** Returns the receiver's statuses for a genuine callback and for what somebody else could send. */
export async function checkReceiver(send: Send, secret: string): Promise<void> {
  const body = JSON.stringify({ taskId: "01998b6e", status: "COMPLETED" });
  const now = Math.floor(Date.now() / 1000);
  const genuine = await signWebhook(body, secret);
  expect(await send(body, genuine), "genuine").toBe(204);
  expect(await send(body, genuine), "the same once more").toBe(204);
  const forged = await signWebhook(body, `whsec_${btoa("the secret of somebody else")}`);
  expect(await send(body, forged), "signed with another secret").toBe(401);
  expect(await send(body.replace("COMPLETED", "FAILED"), genuine), "changed").toBe(401);
  const old = await signWebhook(body, secret, { timestamp: now - 301 });
  expect(await send(body, old), "older than five minutes").toBe(401);
  const early = await signWebhook(body, secret, { timestamp: now + 360 });
  expect(await send(body, early), "from the future").toBe(401);
  expect(await send(body, {}), "unsigned").toBe(401);
}

export function sendTo(url: string): Send {
  return async (body, headers) => {
    const json = { "content-type": "application/json", ...headers };
    const response = await fetch(url, { method: "POST", body, headers: json });
    await response.body?.cancel();
    return response.status;
  };
}
