import type { DirectoryContext } from "../context.ts";
import { forgetFailures } from "../db/stuck-rows.ts";
import { eachRow } from "../flow/each-row.ts";
import {
  type DueMail,
  deleteExpiredMails,
  deleteMail,
  mailsLoop,
  releaseMail,
  takeMails,
} from "./queries.ts";
import { type Letter, MailRefused, type MailTransport } from "./transport.ts";

const mailsPerRoundMax = 50;
const atOnceMax = 4;
const rowMsMax = 60_000;
const leaseMs = 2 * rowMsMax;

/** Renders a mail; null if there is nothing to send any more. */
export type RenderMail = (mail: DueMail) => Promise<Letter | null>;

type MailContext = Pick<DirectoryContext, "db" | "log">;

/** Sends due mails, each on its own. One that the server refuses for good is dropped and logged. */
export async function sendMails(
  ctx: MailContext,
  transport: MailTransport | null,
  render: RenderMail,
  until?: AbortSignal,
): Promise<void> {
  const expired = await deleteExpiredMails(ctx.db, mailsPerRoundMax);
  for (const mailId of expired) ctx.log.warn({ event: "mail.expired", mailId });
  await forgetFailures(ctx.db, mailsLoop, expired);
  if (transport === null) return;
  const taken = await takeMails(ctx.db, mailsPerRoundMax, leaseMs);
  const options = { loop: mailsLoop, keyOf: ({ id }: DueMail) => id, atOnceMax, rowMsMax };
  const send = async (mail: DueMail) => {
    try {
      await sendOne(ctx, transport, render, mail);
    } catch (error) {
      await releaseMail(ctx.db, mail.id);
      throw error;
    }
  };
  await eachRow(ctx, taken, options, send, until);
}

async function sendOne(
  ctx: MailContext,
  transport: MailTransport,
  render: RenderMail,
  mail: DueMail,
): Promise<void> {
  const letter = await render(mail);
  const line = { mailId: mail.id, kind: mail.content.kind };
  try {
    if (letter !== null) await transport.send(letter);
    ctx.log.info({ event: letter === null ? "mail.dropped" : "mail.sent", ...line });
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    ctx.log.warn({ event: "mail.refused", ...line, reason: error.message });
    await letter?.onRefused?.();
  }
  await deleteMail(ctx.db, mail.id);
}
