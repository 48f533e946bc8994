import type { AssetsContext } from "../assets/context.ts";
import type { GenerationContext } from "../generation/context.ts";
import type { MailTransport } from "../mail/transport.ts";

export interface WorkerContext extends GenerationContext, AssetsContext {
  /** Null where no SMTP server is set. */
  mailTransport: MailTransport | null;
}
