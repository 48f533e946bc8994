import { SpanKind } from "@opentelemetry/api";
import { parseId, type TaskId } from "../../ids.ts";
import type { VendorsContext } from "../../tasks/context.ts";
import { findOpenTask } from "../../tasks/open-task-queries.ts";
import { bindJob } from "../../tasks/submit-queries.ts";
import { inSpan, taskIdAttribute } from "../../tracing/in-span.ts";
import { continueTrace } from "../../tracing/trace-context.ts";
import { isCallbackToken } from "./callback-token.ts";

/**
 * Receives a vendor's callback. It is only a hint: the poll reads the job from the vendor. It also
 * carries the id of a job whose submit lost its response.
 */
export async function receiveVendorCallback(
  ctx: VendorsContext,
  address: { vendorAccount: string; taskId: string; token: string },
  body: unknown,
): Promise<void> {
  const { vendorAccount, token } = address;
  const taskId = parseId<TaskId>(address.taskId);
  const jobs = ctx.vendors.get(vendorAccount)?.vendor.jobs;
  if (!jobs || taskId === undefined) return;
  if (!isCallbackToken(ctx.config.links.secret, taskId, token))
    return ctx.log.warn({ event: "vendor.callback.forged", taskId });
  const hint = jobs.readCallback(body);
  if (hint === null) return ctx.log.warn({ event: "vendor.callback.garbled", taskId });
  const { jobId } = hint;
  const task = await findOpenTask(ctx.db, taskId);
  const isKnown = task?.vendorJobId === jobId;
  const pollMs = ctx.config.tasks.pollFirstMs;
  const isBound =
    task !== undefined && !isKnown && (await bindJob(ctx.pool, { taskId, jobId, pollMs }));
  if (isBound) ctx.changes.announce(taskId, task.accountId);
  if (!(isKnown || isBound) || !hint.isOver) return;
  const options = { kind: SpanKind.SERVER, attributes: { [taskIdAttribute]: taskId } };
  await continueTrace(task?.traceparent ?? null, () =>
    inSpan("vendor callback", options, async () => ctx.waker.wake("generation", "poll", taskId)),
  );
}
