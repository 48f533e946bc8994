import { z } from "zod";
import { answerErrors, refuse } from "../answer.ts";
import { createOnce, handOver, waitAndShow } from "../create-once.ts";
import { decideSpending } from "../decide-spending.ts";
import type { McpContext } from "../mcp-context.ts";
import { readTask } from "../see-task.ts";
import { maxCredits, readOnly, spends, taskRequest, taskShape } from "./shapes.ts";

const waitSecondsMax = 50;

export function addTaskTools(context: McpContext): void {
  addGenerate(context);
  addUpscale(context);
  context.server.registerTool(
    "get_task",
    {
      description: "State and files of a task. waitSeconds waits for its end.",
      inputSchema: z.strictObject({
        taskId: z.string(),
        waitSeconds: z.int().min(0).max(waitSecondsMax).default(0),
      }),
      annotations: readOnly,
    },
    ({ taskId, waitSeconds }, ctx) =>
      answerErrors(async () => {
        const seen = await readTask(context.client, taskId);
        if (seen === undefined) return refuse("task_not_found", "There is no such task.");
        return waitAndShow(context, ctx, seen, waitSeconds * 1_000);
      }),
  );
}

function addGenerate(context: McpContext): void {
  const { server, client } = context;
  server.registerTool(
    "generate",
    {
      description:
        "Makes a video or an image; costs credits. Answers links to the files, or a taskId for get_task.",
      inputSchema: z.strictObject({ ...taskShape, maxCredits }),
      annotations: spends,
    },
    (args, ctx) =>
      answerErrors(async () => {
        const request = taskRequest(args.model, args.inputs);
        const decision = await decideSpending(context, ctx, {
          tool: "generate",
          args,
          what: `A task with ${args.model}`,
          price: () => client.quote(request),
        });
        if (decision.kind === "answer") return decision.result;
        const { limit, idempotencyKey } = decision;
        const limited = { ...request, maxCredits: limit };
        const seen = await createOnce(context, "generation", idempotencyKey, (key) =>
          client.tasks.create(limited, { idempotencyKey: key }),
        );
        return handOver(context, ctx, seen);
      }),
  );
}

function addUpscale(context: McpContext): void {
  const { server, client } = context;
  server.registerTool(
    "upscale",
    {
      description:
        "Upscales the video of a task, or at a URL; costs credits per second, and above 60 frames a second per 60 frames. A video at a URL is measured first: above maxCredits its task fails and costs nothing.",
      inputSchema: z.strictObject({
        taskId: z.string().optional(),
        url: z.string().optional(),
        targetResolution: z.enum(["1080p", "2k", "4k"]),
        maxCredits,
      }),
      annotations: spends,
    },
    (args, ctx) =>
      answerErrors(async () => {
        const { targetResolution } = args;
        const source = await findSource(context, args);
        if (source === null)
          return refuse("invalid_parameters", "Give url, or the taskId of a finished video.");
        const decision = await decideSpending(context, ctx, {
          tool: "upscale",
          args,
          what: `An upscale to ${targetResolution}`,
          price: () => priceOf(context, source.seconds, targetResolution),
        });
        if (decision.kind === "answer") return decision.result;
        const { limit, idempotencyKey } = decision;
        const seen = await createOnce(context, "upscale", idempotencyKey, (key) =>
          client.upscales.create(source.video, targetResolution, {
            maxCredits: limit,
            idempotencyKey: key,
          }),
        );
        return handOver(context, ctx, seen);
      }),
  );
}

async function findSource(
  { client }: McpContext,
  { taskId, url }: { taskId?: string | undefined; url?: string | undefined },
): Promise<{ video: string | { taskId: string }; seconds: number | null } | null> {
  if (taskId === undefined) return url === undefined ? null : { video: url, seconds: null };
  const [output] = (await readTask(client, taskId))?.outputs ?? [];
  return output === undefined ? null : { video: { taskId }, seconds: output.durationSeconds };
}

/** null where the length is not known: the service measures it, and keeps to the limit. */
async function priceOf({ client }: McpContext, seconds: number | null, resolution: string) {
  if (seconds === null) return null;
  const { targets, secondsBilledMin } = (await client.models()).upscaler;
  const target = targets.find(({ targetResolution }) => targetResolution === resolution);
  if (target === undefined) return null;
  return { credits: Math.max(Math.ceil(seconds), secondsBilledMin) * target.creditsPerSecond };
}
