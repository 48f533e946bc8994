import { sql } from "kysely";
import type { Context } from "../../context.ts";
import { type DirectoryDb, type Tx, withDirectory } from "../../db/database.ts";
import type { BudgetNotice, CreditsNotice, OwnerNotices } from "../../db/tables/accounts.ts";
import type { Language } from "../../db/tables/people.ts";
import type { AccountId } from "../../ids.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import { listOwners } from "./health-queries.ts";

/** A later mail would be outdated. The limit also bounds what waits where no SMTP server is set. */
const hoursMax = 24;
const accountsAtOnceMax = 20;

interface Noticed {
  id: AccountId;
  name: string;
  notices: OwnerNotices;
}

/**
 * Mails the owners of accounts whose credits, or the budget of whose keys, have become low. People and mails
 * are in the directory: elsewhere the mails are committed first, so that none is lost.
 */
export async function notifyOwners(ctx: Context, until?: AbortSignal): Promise<void> {
  for (;;) {
    const queued = await withDirectory(ctx, async (tx, inDirectory) => {
      const due = await takeNotices(tx, accountsAtOnceMax);
      if (due.length > 0) await inDirectory((directory) => queueAll(ctx, directory, due));
      return due.length;
    });
    if (queued < accountsAtOnceMax || until?.aborted) return;
  }
}

async function takeNotices(tx: Tx, accountsMax: number): Promise<Noticed[]> {
  const { rows } = await sql<Noticed>`
    with due as (
      select id, name, owner_notices from accounts where owner_notices is not null
      order by id limit ${accountsMax} for update skip locked)
    update accounts set owner_notices = null from due where accounts.id = due.id
    returning due.id, due.name, due.owner_notices as notices`.execute(tx);
  return rows;
}

async function queueAll({ config }: Context, db: DirectoryDb, accounts: Noticed[]): Promise<void> {
  const { host } = new URL(config.links.publicUrl);
  for (const { id, name, notices } of accounts)
    for (const { email, language } of await listOwners(db, id))
      for (const notice of Object.values(notices)) {
        const text = "creditsLow" in notice ? creditsText : budgetText;
        const content = text(language, { account: name, host }, notice as never);
        await queueMail(db, { recipient: email, content, hoursMax });
      }
}

interface About {
  account: string;
  host: string;
}

const figure = (credits: number) => credits.toLocaleString("en-US");

function creditsText(
  language: Language,
  { account, host }: About,
  { credits, availableCredits = credits, creditsLow }: CreditsNotice,
) {
  if (language === "zh")
    return {
      kind: "text" as const,
      subject: `积分不足：${account}`,
      text: `您好：

${host} 上的账户“${account}”余额为 ${figure(credits)} 积分，低于提醒值 ${figure(creditsLow)} 积分。其中 ${figure(availableCredits)} 积分可用于新任务，其余由进行中的任务占用。

价格高于可用积分的新任务会被拒绝（402）。如需充值，请联系您的运营方。您可以在控制台的“账单”中更改此提醒。
`,
    };
  return {
    kind: "text" as const,
    subject: `Credits are low: ${account}`,
    text: `Hello,

the account "${account}" on ${host} has ${figure(credits)} credits left, less than the ${figure(creditsLow)} below which its owners are told. ${figure(availableCredits)} of them are available for new tasks; open tasks hold the others.

A new task that costs more than is available is refused with 402. Ask your operator for more credits. The limit of this notice can be changed in the console, beside the balance.
`,
  };
}

function budgetText(
  language: Language,
  { account, host }: About,
  { name, hint, percent, creditsMax }: BudgetNotice,
) {
  if (language === "zh")
    return {
      kind: "text" as const,
      subject: `API 密钥预算已使用 ${percent}%：${account}`,
      text: `您好：

${host} 上的账户“${account}”的 API 密钥“${name}”（${hint}）已使用其 ${figure(creditsMax)} 积分预算的 ${percent}%。

预算用完后，使用该密钥的新任务会被拒绝（402）。您可以在控制台的“API 密钥”中更改预算。
`,
    };
  return {
    kind: "text" as const,
    subject: `An API key has used ${percent} % of its budget: ${account}`,
    text: `Hello,

the API key "${name}" (${hint}) of the account "${account}" on ${host} has used ${percent} % of its budget of ${figure(creditsMax)} credits.

When it is used up, new tasks with this key are refused with 402. The budget can be changed in the console, under API keys.
`,
  };
}
