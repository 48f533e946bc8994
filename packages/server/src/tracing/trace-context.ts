import {
  context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type SpanContext,
  trace,
} from "@opentelemetry/api";

/** W3C Trace Context, version 00. Its `tracestate` is not passed on: it is another system's and unbounded. */
const traceparentPattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Null if it is malformed. */
export function parseTraceparent(text: string | null | undefined): SpanContext | null {
  const [, traceId = "", spanId = "", flags = ""] = traceparentPattern.exec(text ?? "") ?? [];
  const parsed = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(parsed) ? parsed : null;
}

/**
 * Returns the traceparent of the current unit of work, to be sent or stored; null outside of a trace, as
 * always while traces are off.
 */
export function currentTraceparent(): string | null {
  const span = trace.getSpanContext(context.active());
  if (span === undefined) return null;
  return `00-${span.traceId}-${span.spanId}-0${span.traceFlags & 1}`;
}

/** Returns the headers of a request that is a part of the current trace. */
export function traceHeaders(): Record<string, string> {
  const traceparent = currentTraceparent();
  return traceparent === null ? {} : { traceparent };
}

/** Does work as a part of a trace that began elsewhere. */
export function continueTrace<Result>(traceparent: string | null, work: () => Result): Result {
  const parent = parseTraceparent(traceparent);
  return parent === null ? work() : context.with(trace.setSpanContext(ROOT_CONTEXT, parent), work);
}
