import { buildApi } from "../../src/api/build-api.ts";
import { withoutUndefined } from "../../src/http/without-undefined.ts";
import { sendMails } from "../../src/mail/send-mails.ts";
import { createMailRenderer } from "../../src/people/render-mail.ts";
import { openInbox, tokenIn } from "./smtp-inbox.ts";
import { openTestBed } from "./test-context.ts";

export const password = "correct horse battery staple";
export const newPassword = "another horse in the battery";
/** The headers of a page of our own without a session. */
export const ours = { origin: "http://127.0.0.1:8080" };

type Headers = Record<string, string>;
type Method = "GET" | "POST" | "PATCH" | "DELETE";
export type PeopleBed = Awaited<ReturnType<typeof openPeopleBed>>;

/** A test bed with the api and an SMTP server that keeps what it gets. */
export async function openPeopleBed() {
  const refused = new Set<string>();
  const inbox = await openInbox((to) => {
    const isFirst = to.startsWith("refused-once-") && !refused.has(to);
    refused.add(to);
    return isFirst;
  });
  const mail = { SMTP_URL: inbox.url, MAIL_FROM: "Zoetrope <no-reply@example.com>" };
  const bed = await openTestBed(mail);
  const api = await buildApi(bed.ctx);
  let addresses = 0;

  async function call(method: Method, path: string, headers: Headers, body?: object) {
    const answer = await api.inject(
      withoutUndefined({
        method,
        url: `/api/${path}`,
        headers,
        payload: body,
      }),
    );
    const cookie = answer.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    const given = answer.json() as Record<string, unknown>;
    return { status: answer.statusCode, body: given, answer, cookie };
  }

  const sendAll = () => sendMails(bed.ctx, bed.ctx.mailTransport, createMailRenderer(bed.ctx));

  /** The newest of so many mails to an address, after a worker sent what is due. */
  async function mailTo(address: string, count = 1) {
    await sendAll();
    return inbox.waitFor(address, count);
  }

  return {
    ...bed,
    api,
    inbox,
    call,
    sendAll,
    mailTo,
    newAddress: () => `person${++addresses}@example.com`,

    /** Invites, and returns the token of the mail. */
    async invite(headers: Headers, email: string, role = "developer"): Promise<string> {
      const made = await call("POST", "v1/account/invitations", headers, { email, role });
      if (made.status !== 200) throw new Error(JSON.stringify(made.body));
      return tokenIn(await mailTo(email));
    },

    accept: (token: string, more: object = { name: "Ada", password }) =>
      call("POST", "v1/invitation/accept", ours, { token, ...more }),

    auditOf: (accountId: string) =>
      bed.database.sql<{ action: string; person_id: string; after: object }>(
        "select action, person_id, after from audit_entries where account_id = $1 order by id",
        [accountId],
      ),

    async [Symbol.asyncDispose]() {
      await api.close();
      await bed[Symbol.asyncDispose]();
      await inbox.close();
    },
  };
}
