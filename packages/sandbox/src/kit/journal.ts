import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** An entry that an outside checker needs to judge the gateway. Times are milliseconds since 1970. */
export type JournalLine =
  | {
      event: "create";
      /** The vendor whose protocol the call used: `ark`, … */
      vendor: string;
      /** null when no job came of it. */
      jobId: string | null;
      accepted: boolean;
      /** The response that the caller got: an HTTP status, or `reset` or `timeout`. */
      answer: number | "reset" | "timeout";
      code: string | null;
      model: string | null;
      /** The prompt as it was sent; null when the request could not be read. */
      prompt: string | null;
      callbackUrl: string | null;
      safetyIdentifier: string | null;
      /** Whether a vendor of videos was asked for its visible mark. */
      watermark?: boolean | undefined;
      /** The end user that a caller of the image vendors names. */
      user?: string | null;
    }
  | {
      event: "status";
      vendor: string;
      jobId: string;
      from: string | null;
      to: string;
      code: string | null;
    }
  | { event: "erase"; jobId: string }
  | {
      event: "asset";
      assetId: string;
      name: string;
      /** null when it was registered. */
      from: string | null;
      to: string;
      code: string | null;
    }
  | {
      event: "callback";
      jobId: string;
      status: string;
      callbackUrl: string;
      attempt: number;
      /** The HTTP status of the receiver; null when none came. */
      answered: number | null;
      error: string | null;
    };

export interface Journal {
  write(line: JournalLine): void;
  close(): void;
}

/** Appends synchronously: a line is in the file before the response it describes leaves. */
export function openJournal(path: string): Journal {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, "a");
  let closed = false;
  return {
    write(line) {
      if (!closed) writeSync(file, `${JSON.stringify({ at: Date.now(), ...line })}\n`);
    },
    close() {
      if (closed) return;
      closed = true;
      closeSync(file);
    },
  };
}
