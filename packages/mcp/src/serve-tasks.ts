import {
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { declaresTasks, tasksExtension } from "./client-facts.ts";
import type { McpContext } from "./mcp-context.ts";
import { readTask, type Seen } from "./see-task.ts";
import { showTask } from "./show-task.ts";

const pollIntervalMs = 5_000;

const taskParams = z.looseObject({ taskId: z.string().min(1).max(200) });

/**
 * Returns the task as the extension describes one. Its id is the service's, so that any process can
 * serve it.
 */
export function taskHandle(seen: Seen) {
  return {
    taskId: seen.taskId,
    status: seen.isOver ? ("completed" as const) : ("working" as const),
    statusMessage: seen.isOver
      ? `The task is ${seen.status}.`
      : `The task is ${seen.status}. It cannot be cancelled.`,
    createdAt: seen.createdAt.toISOString(),
    lastUpdatedAt: (seen.endedAt ?? seen.createdAt).toISOString(),
    ttlMs: null,
    pollIntervalMs,
  };
}

/** `tasks/get`, `tasks/update` and `tasks/cancel` for clients that declared the extension. */
export function serveTasks(context: McpContext): void {
  const { server } = context.server;
  const find = async (taskId: string, ctx: ServerContext): Promise<Seen> => {
    if (!declaresTasks(ctx))
      throw new MissingRequiredClientCapabilityError({
        requiredCapabilities: { extensions: { [tasksExtension]: {} } },
      });
    const seen = await readTask(context.client, taskId);
    if (seen === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Task not found");
    return seen;
  };
  server.setRequestHandler("tasks/get", { params: taskParams }, async ({ taskId }, ctx) => {
    const seen = await find(taskId, ctx);
    // A task that failed is a tool call that completed with an error: only a JSON-RPC error is `failed`.
    const result = seen.isOver ? { result: await showTask(context, seen, ctx.mcpReq.signal) } : {};
    return { ...taskHandle(seen), ...result };
  });
  // No task waits for input: questions are asked before it is created.
  server.setRequestHandler("tasks/update", { params: taskParams }, async ({ taskId }, ctx) => {
    await find(taskId, ctx);
    return {};
  });
  // Acknowledged, as the extension demands; the vendor continues, and the status says so.
  server.setRequestHandler("tasks/cancel", { params: taskParams }, async ({ taskId }, ctx) => {
    await find(taskId, ctx);
    return {};
  });
}
