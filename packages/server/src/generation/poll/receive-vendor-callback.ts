import { SpanKind } from "@opentelemetry/api";
import { parseId, type TaskId } from "../../ids.ts";
import type { VendorsContext } from "../../tasks/context.ts";
import { findOpenTask } from "../../tasks/open-task-queries.ts";
import { inSpan, taskIdAttribute } from "../../tracing/in-span.ts";
import { continueTrace } from "../../tracing/trace-context.ts";
import { transition } from "../transition.ts";
import { isCallbackToken } from "./callback-token.ts";

interface CallbackAddress {
  vendorAccount: string;
  taskId: string;
  token: string;
}

/** Returns the task of a callback address and its vendor's jobs; null if no vendor was given the address. */
export function findCallback(ctx: VendorsContext, address: CallbackAddress) {
  const taskId = parseId<TaskId>(address.taskId);
  const jobs = ctx.vendors.get(address.vendorAccount)?.vendor.jobs;
  if (!jobs || taskId === undefined) return null;
  return isCallbackToken(ctx.config.links.secret, taskId, address.token) ? { jobs, taskId } : null;
}

/**
 * Receives a vendor's callback. It is only a hint: the poll reads the job from the vendor. It also
 * carries the id of a job whose submit lost its response.
 */
export async function receiveVendorCallback(
  ctx: VendorsContext,
  address: CallbackAddress,
  body: unknown,
): Promise<void> {
  const known = findCallback(ctx, address);
  if (known === null) return;
  const { jobs, taskId } = known;
  const hint = jobs.readCallback(body);
  if (hint === null) return ctx.log.warn({ event: "vendor.callback.garbled", taskId });
  const { jobId } = hint;
  const task = await findOpenTask(ctx.db, taskId);
  const isKnown = task?.vendorJobId === jobId;
  const isBound =
    task !== undefined &&
    !isKnown &&
    (await transition(ctx, "found", { taskId, accountId: task.accountId, jobId }));
  if (!(isKnown || isBound) || !hint.isOver) return;
  const options = { kind: SpanKind.SERVER, attributes: { [taskIdAttribute]: taskId } };
  await continueTrace(task?.traceparent ?? null, () =>
    inSpan("vendor callback", options, async () => ctx.waker.wake("generation", "poll", taskId)),
  );
}
