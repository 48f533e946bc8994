import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import { declaresTasks } from "./client-facts.ts";
import { digestOf } from "./digest.ts";
import type { McpContext } from "./mcp-context.ts";
import { getTask, type Seen, type TaskKind, waitForTask } from "./see-task.ts";
import { taskHandle } from "./serve-tasks.ts";
import { showTask } from "./show-task.ts";

/** Shorter than any client waits. */
const waitMsMax = 25_000;
/** The maximum number of earlier runs of the agent that are distinguished from this one. */
const keysMax = 20;

/**
 * Creates a task unless this call has made one. A task of an earlier run, whose ids began with the same
 * number, leads to the key of the next one.
 */
export async function createOnce(
  { client, repeats }: McpContext,
  kind: TaskKind,
  idempotencyKey: string,
  create: (idempotencyKey: string) => Promise<{ taskId: string }>,
): Promise<Seen> {
  for (let key = idempotencyKey, tries = 1; ; tries++) {
    const { taskId } = await create(key);
    const seen = await getTask(client, kind, taskId);
    const isNew = repeats === null || !repeats.wasReplayed(key);
    if (isNew || tries >= keysMax) return seen;
    if (Date.now() - seen.createdAt.getTime() <= repeats.msMax) return seen;
    key = `mcp-${digestOf(key, taskId)}`;
  }
}

/** A handle for a client that follows tasks; for others the end of the task, or where to ask for it. */
export async function handOver(
  context: McpContext,
  ctx: ServerContext,
  seen: Seen,
): Promise<CallToolResult> {
  if (!declaresTasks(ctx)) return waitAndShow(context, ctx, seen, waitMsMax);
  const handle = { resultType: "task", ...taskHandle(seen), status: "working" };
  return handle as unknown as CallToolResult; // its type comes with the extension
}

export async function waitAndShow(
  context: McpContext,
  ctx: ServerContext,
  seen: Seen,
  waitMs: number,
): Promise<CallToolResult> {
  const { signal, _meta, notify } = ctx.mcpReq;
  const progressToken = _meta?.progressToken;
  let progress = 0;
  const onChange = ({ status }: Seen) => {
    progress += 1;
    if (progressToken === undefined) return;
    const params = { progressToken, progress, message: status };
    notify({ method: "notifications/progress", params }).catch(() => {}); // the client is gone
  };
  const isDone = seen.isOver || waitMs === 0;
  const last = isDone
    ? seen
    : await waitForTask(context.client, seen, { waitMs, signal, onChange });
  return showTask(context, last, signal);
}
