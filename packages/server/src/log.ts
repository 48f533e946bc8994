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
): Log {
  const options = {
    level,
    base: { role },
    mixin: currentTrace,
    redact: {
      paths: ["authorization", "*.authorization", "headers", "*.headers", "prompt", "*.prompt"],
      censor: "[cut]",
    },
  };
  return pino(options, to);
}
