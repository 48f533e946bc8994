import type { Context } from "../../context.ts";
import type { DirectoryDb, InDirectory } from "../../db/database.ts";
import type { Language } from "../../db/tables/people.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import { listOwners, type PausedEndpoint } from "./health-queries.ts";

const hoursMax = 72;

/**
 * Mails the owners of the account that an endpoint was paused, in the same commit. People and mails are at
 * the directory: elsewhere the mails are committed first, so that none is lost. If the pause then fails, the
 * endpoint is paused by a later failure, and they get another mail.
 */
export async function notifyPaused(
  { config }: Pick<Context, "config">,
  inDirectory: InDirectory,
  endpoint: PausedEndpoint,
): Promise<void> {
  const { host } = new URL(config.links.publicUrl);
  await inDirectory((directory) => notifyOwners(directory, endpoint, host));
}

async function notifyOwners(
  db: DirectoryDb,
  endpoint: PausedEndpoint,
  host: string,
): Promise<void> {
  for (const { email, language } of await listOwners(db, endpoint.accountId)) {
    const content = { kind: "text", ...pausedText(language, endpoint, host) } as const;
    await queueMail(db, { recipient: email, content, hoursMax });
  }
}

/** The address without its path and query, which may be secret. */
function pausedText(language: Language, { id, url }: PausedEndpoint, host: string) {
  const { origin } = new URL(url);
  if (language === "zh")
    return {
      subject: `Webhook 端点已暂停：${origin}`,
      text: `您好：

您在 ${host} 的 Webhook 端点 ${origin}（${id}）连续 5 天没有成功接收任何请求，已被暂停。

暂停期间的事件会保留 30 天。修复接收方后，请恢复该端点（PATCH /api/v1/webhooks/endpoints，{"paused": false}）；返回的 missed 说明如何重新投递错过的事件。
`,
    };
  return {
    subject: `Webhook endpoint paused: ${origin}`,
    text: `Hello,

every request to your webhook endpoint ${origin} (${id}) on ${host} has failed for 5 days. It is paused now.

What happens meanwhile is recorded for 30 days. When the receiver works again, resume the endpoint (PATCH /api/v1/webhooks/endpoints with {"paused": false}). The answer has "missed": the request that delivers what was recorded.
`,
  };
}
