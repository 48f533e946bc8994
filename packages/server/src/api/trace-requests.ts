import {
  context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Context as TraceContext,
  trace,
} from "@opentelemetry/api";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import { takeOldest } from "../flow/take-oldest.ts";
import type { AccountId } from "../ids.ts";
import { tracer } from "../tracing/in-span.ts";
import { decideRecording } from "../tracing/recording.ts";
import { parseTraceparent } from "../tracing/trace-context.ts";

/** Requests of one trace of a caller that this process records; the others keep its id but leave no span. */
export const requestsOfTraceMax = 100;
const tracesMax = 10_000;

/**
 * A span for every request of a caller who is known. The caller's `traceparent` gives the trace its id and
 * nothing else: whether it is recorded is our decision, by chance, since callers choose both the id and
 * the flag.
 */
export function traceRequests(app: FastifyInstance, { config }: Context): void {
  const { endpoint, ratio } = config.traces;
  if (endpoint === null) return;
  const traced = new WeakMap<FastifyRequest, { span: Span; within: TraceContext }>();
  const isWithinBounds = createTraceBounds();

  app.addHook("onRequest", (request, _reply, done) => {
    const accountId: AccountId | undefined = request.caller?.id;
    if (accountId === undefined) return done();
    const { traceparent } = request.headers;
    const caller = typeof traceparent === "string" ? parseTraceparent(traceparent) : null;
    const isRecorded =
      Math.random() < ratio && (caller === null || isWithinBounds(caller.traceId, accountId));
    const parent = caller === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, caller);
    const decided = decideRecording(parent, isRecorded);
    const { method, routeOptions } = request;
    const route = routeOptions.url ?? "none"; // never the URL itself: it can carry a token
    const attributes = { "http.request.method": method, "http.route": route };
    const options = { kind: SpanKind.SERVER, attributes };
    const span = tracer.startSpan(`${method} ${route}`, options, decided);
    traced.set(request, { span, within: trace.setSpan(decided, span) });
    return done();
  });
  // Only here: reading the body leaves the context.
  app.addHook("preHandler", (request, _reply, done) => {
    context.with(traced.get(request)?.within ?? ROOT_CONTEXT, done);
  });
  app.addHook("onResponse", (request, reply, done) => {
    const { span, within = ROOT_CONTEXT } = traced.get(request) ?? {};
    span?.setAttribute("http.response.status_code", reply.statusCode);
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
    context.with(within, done);
  });
}

/** A trace belongs to the account that was first seen with its id, and has a bounded number of requests. */
export function createTraceBounds(): (traceId: string, accountId: AccountId) => boolean {
  const traces = new Map<string, { accountId: AccountId; requests: number }>();
  return (traceId, accountId) => {
    const known = traces.get(traceId) ?? { accountId, requests: 0 };
    if (known.accountId !== accountId || known.requests >= requestsOfTraceMax) return false;
    known.requests += 1;
    traces.set(traceId, known);
    if (traces.size > tracesMax) takeOldest(traces, 1);
    return true;
  };
}
