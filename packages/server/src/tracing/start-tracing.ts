import { setTimeout as pause } from "node:timers/promises";
import { context, DiagLogLevel, diag, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, SamplingDecision, TracerProvider } from "@opentelemetry/sdk-trace";
import type { Log } from "../log.ts";
import { isRecorded } from "./recording.ts";

/** The maximum number of queued spans. Spans beyond it are dropped: an unreachable collector costs no more. */
const queuedSpansMax = 4_096;
const sendEveryMs = 1_000;
const sendMsMax = 5_000;
const limits = {
  attributeCountLimit: 32,
  attributeValueLengthLimit: 256,
  eventCountLimit: 4,
  linkCountLimit: 0,
};

/** Records spans of this process and sends them to a collector, by OTLP over HTTP. */
export function startTracing(endpoint: string, role: string, log: Log): { close(): Promise<void> } {
  const warn = (...reasons: unknown[]) =>
    log.warn({ event: "traces.unsent", reason: reasons.map(String).join(" ").slice(0, 500) });
  const ignore = () => {};
  diag.setLogger(
    { error: warn, warn, info: ignore, debug: ignore, verbose: ignore },
    DiagLogLevel.WARN,
  );
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, "")}/v1/traces`,
    timeoutMillis: sendMsMax,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": `zoetrope-${role}` }),
    sampler: {
      shouldSample: (parent) => ({
        decision: isRecorded(parent)
          ? SamplingDecision.RECORD_AND_SAMPLED
          : SamplingDecision.NOT_RECORD,
      }),
      toString: () => "as decided by the request",
    },
    spanLimits: limits,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: queuedSpansMax,
        scheduledDelayMillis: sendEveryMs,
        exportTimeoutMillis: sendMsMax,
      }),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  return {
    async close() {
      const sent = provider.shutdown().then(() => true);
      const late = pause(sendMsMax, false, { ref: false });
      const isSent = await Promise.race([sent.catch(warn), late]);
      if (isSent === false) warn("not sent in time");
    },
  };
}
