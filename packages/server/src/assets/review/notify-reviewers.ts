import { sql } from "kysely";
import type { Context } from "../../context.ts";
import { type DirectoryDb, type DirectoryTx, inTransaction } from "../../db/database.ts";
import { changedRows } from "../../db/only-row.ts";
import type { Language } from "../../db/tables/people.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import { listReviewers } from "../../people/staff/queries.ts";
import { measureQueue } from "./queue.ts";

/** The waiting time after which reviewers get a mail about an asset. */
const waitsMinutesMax = 15;
/** Over all workers and shards. A mail that could not be sent by then is followed by the next. */
const everyHours = 1;

interface Backlog {
  waiting: number;
  oldestSeconds: number;
}

/** Mails reviewers that assets wait for them, at most once an hour for all of what waits. */
export async function notifyReviewers(ctx: Context): Promise<void> {
  const { waiting, oldestSeconds } = await measureQueue(ctx.db);
  if (oldestSeconds <= waitsMinutesMax * 60) return;
  const { publicUrl } = ctx.config.links;
  const { host } = new URL(publicUrl);
  await inTransaction(ctx.directory.db, async (tx) => {
    const reviewers = await listReviewers(tx);
    if (reviewers.length === 0 || !(await takeHour(tx))) return;
    await queueAll(tx, reviewers, {
      waiting,
      oldestSeconds,
      host,
      url: `${publicUrl}/console/review`,
    });
  });
}

/** Whether the last mail is long enough ago. One of those who ask at the same moment gets it. */
async function takeHour(tx: DirectoryTx): Promise<boolean> {
  const taken = await sql`
    update review_reminders set sent_at = now()
    where sent_at <= now() - ${everyHours} * interval '1 hour'`.execute(tx);
  return changedRows(taken) > 0;
}

async function queueAll(
  db: DirectoryDb,
  reviewers: readonly { email: string; language: Language }[],
  about: Backlog & { host: string; url: string },
): Promise<void> {
  for (const { email, language } of reviewers) {
    const content = { kind: "text", ...textOf(language, about) } as const;
    await queueMail(db, { recipient: email, content, hoursMax: everyHours });
  }
}

function textOf(
  language: Language,
  { waiting, oldestSeconds, host, url }: Backlog & { host: string; url: string },
) {
  const minutes = Math.floor(oldestSeconds / 60);
  if (language === "zh")
    return {
      subject: `${host}：${waiting} 个素材等待审核`,
      text: `您好：

${host} 上有 ${waiting} 个素材等待审核，最早的已等待 ${minutes} 分钟。上传者在审核完成前无法使用这些素材。

${url}

只要还有素材等待，此邮件每小时最多发送一次。
`,
    };
  return {
    subject: `${host}: assets wait for a review (${waiting})`,
    text: `Hello,

on ${host} ${waiting === 1 ? "an asset waits" : `${waiting} assets wait`} for a review, the oldest for ${minutes} minutes. Its owner cannot use it until it is judged.

${url}

This mail is sent at most once an hour while assets wait.
`,
  };
}
