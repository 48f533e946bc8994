import { hostname } from "node:os";
import { context, trace } from "@opentelemetry/api";
import { type DestinationStream, destination, type Logger, pino } from "pino";

export type Log = Logger;

/** The trace of the current unit of work; none while traces are off. */
function currentTrace(): { traceId?: string } {
  const span = trace.getSpanContext(context.active());
  return span === undefined ? {} : { traceId: span.traceId };
}

/** One wide line per unit of work. Fields that could carry a secret are redacted by name as a last resort. */
export function createLog(
  level: string,
  role: string,
  to: DestinationStream = destination({ sync: true }), // a killed process loses no line
  version?: string,
): Log {
  const options = {
    level,
    base: { role, host: hostname(), pid: process.pid, ...(version && { version }) },
    mixin: currentTrace,
    redact: {
      paths: ["authorization", "*.authorization", "headers", "*.headers", "prompt", "*.prompt"],
      censor: "[cut]",
    },
  };
  return pino(options, to);
}

interface Events {
  /** Logged with the reason when it begins to fail, and again for each other reason. */
  failed: string;
  over: string;
  level: "warn" | "error";
  /** The name that distinguishes several with the same events. */
  name?: string;
}

export interface Outage {
  note(error: unknown): void;
  /** Ends the outage, if there is one. Call it after every success. */
  end(): void;
}

/** Logs the first failure of an outage, each other reason, and its end. */
export function createOutage(log: Log, { failed, over, level, ...about }: Events): Outage {
  let since: Date | null = null;
  let rounds = 0;
  let lastReason = "";
  return {
    note(error) {
      const reason = String(error);
      since ??= new Date();
      rounds += 1;
      if (reason !== lastReason) log[level]({ event: failed, ...about, reason });
      lastReason = reason;
    },
    end() {
      if (since !== null) log.info({ event: over, ...about, since, rounds });
      since = null;
      rounds = 0;
      lastReason = "";
    },
  };
}
