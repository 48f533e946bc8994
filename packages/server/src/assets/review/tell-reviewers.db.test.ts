import { afterEach, beforeEach, expect, test } from "vitest";
import { openPerson } from "../../../test/harness/open-person.ts";
import { fillQueue } from "../../../test/harness/review-bed.ts";
import { openInbox } from "../../../test/harness/smtp-inbox.ts";
import { openTestBed, type TestBed } from "../../../test/harness/test-context.ts";
import { sendMails } from "../../mail/send-mails.ts";
import { createMailRenderer } from "../../people/render-mail.ts";
import { notifyReviewers } from "./notify-reviewers.ts";

let bed: TestBed;
let inbox: Awaited<ReturnType<typeof openInbox>>;
beforeEach(async () => {
  inbox = await openInbox();
  bed = await openTestBed({ SMTP_URL: inbox.url, MAIL_FROM: "Zoetrope <no-reply@example.com>" });
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
  await inbox.close();
});

const wait = (minutes: number) =>
  bed.database.sql(`update open_reviews set asked_at = now() - $1 * interval '1 minute'`, [
    minutes,
  ]);
const passHour = () =>
  bed.database.sql("update review_reminders set sent_at = now() - interval '1 hour'");
const queued = async () =>
  (
    await bed.database.sql<{ recipient: string }>("select recipient from mails order by recipient")
  ).map(({ recipient }) => recipient);

test("reviewers get one mail for all that waits, a quarter of an hour after the first and at most one an hour, from whichever worker", async () => {
  const account = await bed.openAccount();
  const rita = await openPerson(bed, { staff: "reviewer", email: "rita@example.com" });
  const wei = await openPerson(bed, { staff: "reviewer", email: "wei@example.com" });
  await bed.database.sql("update people set language = 'zh' where id = $1", [wei.personId]);
  await openPerson(bed, { staff: "operator", email: "otto@example.com" });
  await openPerson(bed, { staff: "support", email: "sam@example.com" });
  await fillQueue(bed, account.id, 3);
  await wait(14);
  await notifyReviewers(bed.ctx);
  expect(await queued()).toEqual([]);

  await wait(40);
  await Promise.all([bed.ctx, bed.openAnother()].map(notifyReviewers));
  expect(await queued()).toEqual([rita.email, wei.email]);
  await sendMails(bed.ctx, bed.ctx.mailTransport, createMailRenderer(bed.ctx));
  const english = (await inbox.waitFor(rita.email)).text;
  expect(english).toContain("Subject: 127.0.0.1:8080: assets wait for a review (3)");
  expect(english).toContain("3 assets wait for a review, the oldest for 40 minutes");
  expect(english).toContain("http://127.0.0.1:8080/console/review");
  expect((await inbox.waitFor(wei.email)).text).toContain("3 个素材等待审核");

  await fillQueue(bed, account.id, 1);
  await notifyReviewers(bed.ctx);
  expect(await queued()).toEqual([]);
  await passHour();
  await notifyReviewers(bed.ctx);
  expect(await queued()).toHaveLength(2);

  await bed.database.sql("delete from mails");
  await bed.database.sql("delete from open_reviews");
  await passHour();
  await notifyReviewers(bed.ctx);
  expect(await queued()).toEqual([]);
});

test("without a reviewer operators are mailed, who can judge as well; without anybody the hour is not used up", async () => {
  const account = await bed.openAccount();
  await fillQueue(bed, account.id, 1);
  await wait(40);
  await notifyReviewers(bed.ctx);
  const operator = await openPerson(bed, { staff: "operator" });
  await notifyReviewers(bed.ctx);
  expect(await queued()).toEqual([operator.email]);
});
