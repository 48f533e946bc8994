import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPerson, signIn } from "../../../test/harness/open-person.ts";
import {
  newPassword,
  openPeopleBed,
  ours,
  type PeopleBed,
  password,
} from "../../../test/harness/people-bed.ts";
import { tokenIn } from "../../../test/harness/smtp-inbox.ts";
import { type MailId, newId } from "../../ids.ts";
import { createMailRenderer } from "../render-mail.ts";

let bed: PeopleBed;
beforeAll(async () => {
  bed = await openPeopleBed();
});
afterAll(() => bed[Symbol.asyncDispose]());

describe("a password", () => {
  const request = (email: string) => bed.call("POST", "v1/password/request", ours, { email });

  test("is set by a mailed link, once, and ends every session; the answer tells nothing", async () => {
    const { email, headers } = await openPerson(bed, {
      role: "owner",
      password,
      email: bed.newAddress(),
    });
    const known = await request(email);
    const unknown = await request("nobody@example.com");
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
    const token = tokenIn(await bed.mailTo(email));
    expect(bed.inbox.received.some(({ to }) => to === "nobody@example.com")).toBe(false);
    const reset = () =>
      bed.call("POST", "v1/password/reset", ours, { token, password: newPassword });
    const answers = await Promise.all([reset(), reset(), reset()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
    expect((await bed.call("GET", "v1/me", headers)).status).toBe(401);
    expect((await signIn(bed.api, bed, { email, password })).answer.statusCode).toBe(401);
    const { answer } = await signIn(bed.api, bed, { email, password: newPassword });
    expect(answer.statusCode).toBe(200);
    expect((await bed.mailTo(email, 2)).text).toContain(
      "Your password for 127.0.0.1:8080 was changed",
    );
  });

  test("has three links at most, which strangers who ask for more do not end", async () => {
    const { email } = await openPerson(bed, { role: "owner", email: bed.newAddress() });
    for (let n = 0; n < 5; n++) await request(email);
    const first = tokenIn(await bed.mailTo(email, 3));
    await request(email);
    await bed.sendAll();
    expect(bed.inbox.received.filter(({ to }) => to === email)).toHaveLength(3);
    const reset = { token: first, password: newPassword };
    expect((await bed.call("POST", "v1/password/reset", ours, reset)).status).toBe(200);
  });

  test("has three links at most, also if a worker writes many mails to one person at once", async () => {
    const { email } = await openPerson(bed, { role: "owner", email: bed.newAddress() });
    const render = createMailRenderer(bed.ctx);
    const mail = {
      id: newId<MailId>(0),
      recipient: email,
      content: { kind: "password-reset" },
    } as const;
    const letters = await Promise.all(Array.from({ length: 12 }, () => render(mail)));
    expect(letters.filter((letter) => letter !== null)).toHaveLength(3);
  });

  test("is changed with the current one, and ends the other sessions", async () => {
    const other = await openPerson(bed, { role: "owner", password, email: bed.newAddress() });
    const { headers } = await signIn(bed.api, bed, { email: other.email, password });
    const change = (currentPassword: string) =>
      bed.call("POST", "v1/me/password", headers, { currentPassword, newPassword });
    expect((await change("wrong")).body).toMatchObject({ code: "password_wrong" });
    expect((await bed.call("GET", "v1/me", other.headers)).status).toBe(200);
    expect((await change(password)).status).toBe(200);
    expect((await bed.call("GET", "v1/me", other.headers)).status).toBe(401);
    expect((await bed.call("GET", "v1/me", headers)).status).toBe(200);
  });
});

test("an e-mail address changes when the link to the new one is used, and the old one is told", async () => {
  const { email, headers } = await openPerson(bed, {
    role: "owner",
    password,
    email: bed.newAddress(),
  });
  const next = bed.newAddress();
  const taken = await openPerson(bed, { role: "owner", email: bed.newAddress() });
  const stranger = await openPerson(bed, { role: "owner" });
  for (const wanted of [next, taken.email]) {
    const asked = await bed.call("POST", "v1/me/email", headers, { email: wanted, password });
    expect(asked.status).toBe(200);
    const mail = await bed.mailTo(wanted);
    if (wanted === next) expect(mail.text).toContain(`Test (${email})`); // whose address it becomes
    const token = tokenIn(mail);
    const byNobody = await bed.call("POST", "v1/email/confirm", ours, { token });
    expect(byNobody.status).toBe(401);
    const byStranger = await bed.call("POST", "v1/email/confirm", stranger.headers, { token });
    expect(byStranger.body).toMatchObject({ code: "link_invalid" });
    const confirmed = await bed.call("POST", "v1/email/confirm", headers, { token });
    expect(confirmed.status).toBe(wanted === next ? 200 : 409);
  }
  expect((await bed.call("GET", "v1/me", headers)).body).toMatchObject({ email: next });
  expect((await bed.mailTo(email)).text).toContain("e-mail address");
});

test("sessions are listed with address and browser, and one or all others are ended", async () => {
  const first = await openPerson(bed, { role: "owner", password, email: bed.newAddress() });
  const { headers } = await signIn(
    bed.api,
    bed,
    { email: first.email, password },
    {
      "user-agent": `Browser ${"x".repeat(500)}`,
    },
  );
  const list = async () =>
    (await bed.call("GET", "v1/me/sessions", headers)).body["sessions"] as Record<
      string,
      unknown
    >[];
  expect(await list()).toMatchObject([
    { isCurrent: true, address: "127.0.0.1", userAgent: `Browser ${"x".repeat(192)}` },
    { isCurrent: false, address: "192.0.2.1", sessionId: first.sessionId },
  ]);
  const stranger = await openPerson(bed, { role: "owner" });
  const end = (sessionId: string) =>
    bed.call("DELETE", `v1/me/sessions?sessionId=${sessionId}`, headers);
  expect((await end(stranger.sessionId)).status).toBe(404);
  expect((await end(first.sessionId)).status).toBe(200);
  expect((await bed.call("GET", "v1/me", first.headers)).status).toBe(401);
  const { headers: third } = await signIn(bed.api, bed, { email: first.email, password });
  const others = await bed.call("POST", "v1/me/sessions/end-others", headers);
  expect(others.body).toEqual({ ended: 1 });
  expect((await bed.call("GET", "v1/me", third)).status).toBe(401);
  expect(await list()).toHaveLength(1);
});

test("mails are in the language of the person", async () => {
  const { email, headers } = await openPerson(bed, { role: "owner", email: bed.newAddress() });
  const changed = await bed.call("PATCH", "v1/me", headers, { language: "zh", name: "小明" });
  expect(changed.status).toBe(200);
  await bed.call("POST", "v1/password/request", ours, { email });
  expect((await bed.mailTo(email)).text).toContain("请打开以下链接设置新密码");
  const invited = bed.newAddress();
  await bed.invite(headers, invited);
  expect((await bed.mailTo(invited)).text).toContain("上的账户「test」");
});
