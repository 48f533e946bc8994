/** Returns the message of a log line of the engine's SDK, with the frames of a stack trace apart. */
export function describeSdkLine(details: readonly unknown[]): { reason: string; stack?: string[] } {
  const lines = details
    .map((detail) => (detail instanceof Error ? (detail.stack ?? String(detail)) : String(detail)))
    .join(" ")
    .split("\n")
    .map((line) => line.trim());
  const stack = lines.filter((line) => line.startsWith("at "));
  const reason = lines.filter((line) => line !== "" && !line.startsWith("at ")).join(" ");
  return stack.length === 0 ? { reason } : { reason, stack };
}
