import { type Attributes, context, type SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";

export const tracer = trace.getTracer("zoetrope");

/** Attributes of spans that are ours alone; the others are named by OpenTelemetry's conventions. */
export const taskIdAttribute = "zoetrope.task.id";

/**
 * Does work in a span of the current trace. Outside of a trace it only does the work: requests alone
 * begin traces.
 */
export async function inSpan<Result>(
  name: string,
  options: { kind: SpanKind; attributes: Attributes },
  work: () => Promise<Result>,
): Promise<Result> {
  if (trace.getSpanContext(context.active()) === undefined) return work();
  return tracer.startActiveSpan(name, options, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: String(error) });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Adds to the span of the current work, if there is one. */
export function noteOnSpan(attributes: Attributes, fault: string | null = null): void {
  const span = trace.getActiveSpan();
  span?.setAttributes(attributes);
  if (fault !== null) span?.setStatus({ code: SpanStatusCode.ERROR, message: fault });
}
