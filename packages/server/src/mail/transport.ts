import type { Transporter } from "nodemailer";
import type { Config } from "../settings/config.ts";
import { isLoopbackHost } from "../settings/setting.ts";

export interface Letter {
  recipient: string;
  subject: string;
  text: string;
  /** Runs when the server will never take it. */
  onRefused?: () => Promise<void>;
}

export interface MailTransport {
  /** Throws `MailRefused` if the server will never take it; anything else may succeed later. */
  send(letter: Letter): Promise<void>;
  close(): void;
}

/** The SMTP server said that it will not take this mail. */
export class MailRefused extends Error {}

const connectMsMax = 10_000;
const answerMsMax = 30_000;
const connectionsMax = 4;

/** Null where no SMTP server is set: mails wait until they expire. */
export function openMailTransport({ mail }: Pick<Config, "mail">): MailTransport | null {
  const { smtpUrl, from } = mail;
  if (smtpUrl === null || from === null) return null;
  const opened = openTransporter(smtpUrl);
  return {
    async send({ recipient, subject, text }) {
      const transporter = await opened;
      try {
        await transporter.sendMail({ from, to: { name: "", address: recipient }, subject, text });
      } catch (error) {
        const { responseCode, command } = error as { responseCode?: number; command?: string };
        const isRefused = responseCode !== undefined && responseCode >= 500;
        if (isRefused && (command === "RCPT TO" || command === "DATA"))
          throw new MailRefused(`the SMTP server answered ${responseCode}`);
        throw error;
      }
    },
    close: () => void opened.then((transporter) => transporter.close()),
  };
}

/** Loaded only where it is set. */
async function openTransporter(smtpUrl: string): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  return createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: connectionsMax,
    connectionTimeout: connectMsMax,
    greetingTimeout: connectMsMax,
    socketTimeout: answerMsMax,
    requireTLS: !isLoopbackHost(new URL(smtpUrl).hostname), // passwords and links do not travel in the clear
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
