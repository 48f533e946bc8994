import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { SMTPServer } from "smtp-server";

export interface ReceivedMail {
  to: string;
  /** Headers and body, decoded. */
  text: string;
}

/** A real SMTP server that keeps what it is sent. `refuses` says which recipients it refuses for good. */
export async function openInbox(refuses: (to: string) => boolean = () => false) {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onRcptTo: (address, _session, done) =>
      done(
        refuses(address.address)
          ? Object.assign(new Error("no such box"), { responseCode: 550 })
          : null,
      ),
    onData(stream, session, done) {
      text(stream)
        .then((raw) => {
          const [to = { address: "" }] = session.envelope.rcptTo;
          received.push({ to: to.address, text: decode(raw) });
          done();
        })
        .catch(done);
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  const to = (address: string) => received.filter((mail) => mail.to === address);
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    /** The newest of so many mails to an address. */
    async waitFor(address: string, count = 1): Promise<ReceivedMail> {
      const isThere = () => to(address).length >= count;
      await waitUntil(`${count} mails to ${address}`, isThere, { timeoutMs: 300_000 });
      const mail = to(address).at(-1);
      if (mail === undefined) throw new Error("unreachable");
      return mail;
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** The token in the link of a mail. */
export function tokenIn(mail: { text: string }): string {
  const [, token] = /#token=([\w-]{43})/.exec(mail.text) ?? [];
  if (token === undefined) throw new Error(`there is no link in ${mail.text}`);
  return token;
}

function decode(raw: string): string {
  const end = raw.indexOf("\r\n\r\n");
  const headers = raw.slice(0, end);
  const body = raw.slice(end + 4);
  const subject = headers.replaceAll(/=\?UTF-8\?B\?([^?]+)\?=/gi, (_all, bytes: string) =>
    Buffer.from(bytes, "base64").toString(),
  );
  if (/transfer-encoding: base64/i.test(headers))
    return `${subject}\n\n${Buffer.from(body, "base64").toString()}`;
  if (/transfer-encoding: quoted-printable/i.test(headers)) {
    const bytes = body
      .replaceAll("=\r\n", "")
      .replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      );
    return `${subject}\n\n${Buffer.from(bytes, "latin1").toString()}`;
  }
  return `${subject}\n\n${body}`;
}
