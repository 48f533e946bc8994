import { type DestinationStream, destination, type Logger, pino } from "pino";

export type Log = Logger;

/** One wide line per unit of work. Fields that could carry a secret are redacted by name as a last resort. */
export function createLog(
  level: string,
  role: string,
  to: DestinationStream = destination({ sync: true }), // a killed process loses no line
): Log {
  const options = {
    level,
    base: { role },
    redact: {
      paths: ["authorization", "*.authorization", "headers", "*.headers", "prompt", "*.prompt"],
      censor: "[cut]",
    },
  };
  return pino(options, to);
}
