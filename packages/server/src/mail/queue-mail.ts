import type { DirectoryDb } from "../db/database.ts";
import { inMs } from "../db/in-ms.ts";
import type { MailContent } from "../db/tables/people.ts";
import { type MailId, newId } from "../ids.ts";

const hour = 60 * 60_000;
const textLengthMax = 10_000;

/**
 * Has a mail sent by a worker, so that a request never waits for the SMTP server nor fails with it. In
 * a transaction, the mail is sent if it commits.
 */
export async function queueMail(
  db: DirectoryDb,
  mail: { recipient: string; content: MailContent; hoursMax: number },
): Promise<void> {
  const { recipient, content, hoursMax } = mail;
  const cut =
    content.kind === "text" ? { ...content, text: content.text.slice(0, textLengthMax) } : content;
  await db
    .insertInto("mails")
    .values({
      id: newId<MailId>(0),
      recipient,
      content: JSON.stringify(cut),
      expires_at: inMs(hoursMax * hour),
    })
    .execute();
}
