import { openAsBlob } from "node:fs";
import { join } from "node:path";
import { renderFile } from "@zoetrope/testkit/make-media.ts";
import { expect, test } from "vitest";
import type { ReadMeAnswer } from "../../src/generated.ts";
import { type ClientOptions, Zoetrope } from "../../src/zoetrope.ts";
import type { Bed } from "../bed.ts";

const password = "correct horse battery staple";

/** Accepts an invitation as a page does. A browser adds origin and cookie by itself; here the test does. */
async function accept({ stack, proxy }: Bed, accountId: string, known?: typeof fetch) {
  const email = "ada@example.com";
  const invitation = { accountId, email, role: "developer", asLink: true };
  const { url } = await stack.admin("POST", "/accounts/invitations", invitation);
  const token = new URL(String(url)).hash.replace("#token=", "");
  const answer = await fetch(`${proxy.url}/api/v1/invitation/accept`, {
    method: "POST",
    headers: { origin: proxy.url, "content-type": "application/json" },
    body: JSON.stringify(known ? { token } : { token, name: "Ada", password }),
  });
  expect(answer.status).toBe(200);
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
  const browser: typeof fetch = (url, { headers, ...init } = {}) =>
    fetch(url, { ...init, headers: { ...headers, cookie, origin: proxy.url } });
  return known ?? browser;
}

export function sessionTests(bed: () => Bed): void {
  test("with a session, a signed-in person runs, waits, uploads and follows events without a key, in the account that is named", async () => {
    const { stack, proxy, scratch } = bed();
    const mine = await stack.openAccount({ name: "mine", credits: 10_000 });
    const browser = await accept(bed(), mine.accountId);
    const open = (accountId?: string | null) =>
      new Zoetrope({ baseUrl: proxy.url, session: { accountId }, fetch: browser });
    const seenBefore = proxy.seen.requests.length;
    const client = open();
    const me = await client.request<ReadMeAnswer>({ method: "GET", path: "/api/v1/me" });
    expect(me.accounts.map(({ accountId }) => accountId)).toEqual([mine.accountId]);

    const path = join(scratch.path, "session.png");
    await renderFile(path, ["-f", "lavfi", "-i", "testsrc2=s=640x640:d=1", "-frames:v", "1"]);
    const inputs = { prompt: "a fox at night", urls: [await openAsBlob(path)] };
    const task = await client.run("image-plus-2", inputs);
    expect((await task.files[0]?.blob())?.size).toBe(task.files[0]?.sizeBytes);
    for await (const event of client.events(0)) {
      expect(event.taskId).toBe(task.taskId);
      break;
    }

    const other = await stack.openAccount({ name: "other", credits: 7 });
    await expect(open(other.accountId).credits()).rejects.toMatchObject({ code: "not_a_member" });
    await accept(bed(), other.accountId, browser);
    await expect(open(null).credits()).rejects.toMatchObject({ code: "account_required" });
    expect((await open(other.accountId).credits()).availableCredits).toBe(7);
    expect((await open(mine.accountId).credits()).availableCredits).toBeLessThan(10_000);
    const seen = proxy.seen.requests.slice(seenBefore);
    expect(seen.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
  });

  test("a client has a key or a session: neither and both are refused", () => {
    const baseUrl = "https://media.example.com";
    expect(() => new Zoetrope({ baseUrl })).toThrow("apiKey is empty");
    const both = { baseUrl, apiKey: "zoe_live_none", session: {} };
    // @ts-expect-error: both
    const options: ClientOptions = both;
    expect(() => new Zoetrope(options)).toThrow("not both");
  });
}
