import { trace } from "@opentelemetry/api";
import type { HooksProvider } from "@restatedev/restate-sdk";
import { openTelemetryHook } from "@restatedev/restate-sdk-opentelemetry";
import { taskIdAttribute, tracer } from "../tracing/in-span.ts";
import { continueTrace } from "../tracing/trace-context.ts";

/**
 * Creates spans for attempts and steps. An engine that exports traces itself passes on its own
 * `traceparent` with every attempt; otherwise that of the wake-up, which it keeps with the invocation, is
 * used.
 */
export function createTraceHook(): HooksProvider {
  const hook = openTelemetryHook({
    tracer,
    additionalAttemptAttributes: ({ request: { target } }) =>
      target.service === "asset" ? undefined : { [taskIdAttribute]: target.key ?? "" },
  });
  return (ctx) => {
    const { headers, target } = ctx.request;
    const hooks = continueTrace(headers.get("traceparent") ?? null, () => hook(ctx));
    const { handler, ...others } = hooks.interceptor ?? {};
    if (handler === undefined) return hooks;
    return {
      interceptor: {
        ...others,
        handler: (next) =>
          handler(() => {
            trace.getActiveSpan()?.updateName(`attempt ${target.service}.${target.handler}`); // without the key
            return next();
          }),
      },
    };
  };
}
