import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openInbox } from "../../test/harness/smtp-inbox.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { queueMail } from "./queue-mail.ts";
import { type RenderMail, sendMails } from "./send-mails.ts";
import { openMailTransport } from "./transport.ts";

let bed: TestBed;
let inbox: Awaited<ReturnType<typeof openInbox>>;
beforeAll(async () => {
  inbox = await openInbox((to) => to.startsWith("refused"));
  bed = await openTestBed({ SMTP_URL: inbox.url, MAIL_FROM: "Zoetrope <no-reply@example.com>" });
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await inbox.close();
});

const render: RenderMail = async ({ recipient, content }) => {
  if (content.kind !== "text" || content.subject === "broken") throw new Error("cannot be written");
  return { recipient, subject: content.subject, text: content.text };
};
const queue = (recipient: string, subject = "Hello", text = "some text") =>
  queueMail(bed.ctx.db, { recipient, content: { kind: "text", subject, text }, hoursMax: 1 });
const send = (transport = bed.ctx.mailTransport) => sendMails(bed.ctx, transport, render);
const waiting = async () =>
  (await bed.database.sql<{ recipient: string }>("select recipient from mails")).map(
    ({ recipient }) => recipient,
  );

test("a mail arrives as it was written, and its row is gone", async () => {
  await queue("ada@example.com", "Grüße 你好", "a line\nanother line with ü and 你");
  await send();
  const { text } = await inbox.waitFor("ada@example.com");
  expect(text).toContain("Subject: Grüße 你好");
  expect(text.replaceAll("\r\n", "\n")).toContain("a line\nanother line with ü and 你");
  expect(text).toContain("From: Zoetrope <no-reply@example.com>");
  expect(await waiting()).toEqual([]);
});

test("one that cannot be written or is refused stops no other", async () => {
  await queue("first@example.com", "broken");
  await queue("refused@example.com");
  await queue("second@example.com");
  await send();
  await inbox.waitFor("second@example.com");
  expect(await waiting()).toEqual(["first@example.com"]);
  await bed.database.sql("delete from mails");
});

test("a server that is down fails nothing, and gets the mail when it is back", async () => {
  const { mail } = bed.ctx.config;
  const down = openMailTransport({ mail: { ...mail, smtpUrl: "smtp://127.0.0.1:9" } });
  await queue("later@example.com");
  await send(down);
  down?.close();
  expect(await waiting()).toEqual(["later@example.com"]);
  const isSent = async () => {
    await send();
    return (await waiting()).length === 0;
  };
  await waitUntil("the mail is sent", isSent, { timeoutMs: 300_000 });
  await inbox.waitFor("later@example.com");
});

test("a mail whose time is over is not sent", async () => {
  await queue("late@example.com");
  await bed.database.sql("update mails set expires_at = now()");
  await send();
  expect(await waiting()).toEqual([]);
  expect(inbox.received.some(({ to }) => to === "late@example.com")).toBe(false);
});

test("two workers send a mail once", async () => {
  for (let n = 0; n < 20; n++) await queue(`both${n}@example.com`);
  await Promise.all([send(), send(), send()]);
  for (let n = 0; n < 20; n++) {
    await inbox.waitFor(`both${n}@example.com`);
    expect(inbox.received.filter(({ to }) => to === `both${n}@example.com`)).toHaveLength(1);
  }
});

test("a recipient or subject with line breaks adds no header", async () => {
  await queue("plain@example.com", "Hello\r\nBcc: eve@example.com");
  await send();
  const { text } = await inbox.waitFor("plain@example.com");
  expect(text).not.toMatch(/^Bcc:/im);
  expect(inbox.received.some(({ to }) => to.includes("eve"))).toBe(false);
});
