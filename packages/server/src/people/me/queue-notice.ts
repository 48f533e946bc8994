import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import type { Language } from "../../db/tables/people.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import { noticeText } from "../mail-texts.ts";

const hoursMax = 24;

export async function queueNotice(
  ctx: Context,
  tx: Tx,
  person: { email: string; language: Language },
  what: "password" | "email",
): Promise<void> {
  const { host } = new URL(ctx.config.links.publicUrl);
  const content = { kind: "text", ...noticeText(person.language, what, host) } as const;
  await queueMail(tx, { recipient: person.email, content, hoursMax });
}
