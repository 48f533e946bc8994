import { type Context, createContextKey, TraceFlags, trace } from "@opentelemetry/api";

const decisionKey = createContextKey("whether this trace is recorded");

/** Decides for what follows in this context, whatever its parent says. */
export function decideRecording(parent: Context, isRecorded: boolean): Context {
  return parent.setValue(decisionKey, isRecorded);
}

/** Whether a span is recorded: as decided where its trace entered the service. */
export function isRecorded(parent: Context): boolean {
  const decided = parent.getValue(decisionKey);
  if (typeof decided === "boolean") return decided;
  const span = trace.getSpanContext(parent);
  return span !== undefined && (span.traceFlags & TraceFlags.SAMPLED) !== 0;
}
