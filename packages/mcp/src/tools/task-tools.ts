import { z } from "zod";
import { answerErrors, refuse } from "../answer.ts";
import { createOnce, handOver, waitAndShow } from "../create-once.ts";
import { decideSpending } from "../decide-spending.ts";
import { readTask } from "../see-task.ts";
import type { World } from "../world.ts";
import { maxCredits, readOnly, spends, taskRequest, taskShape } from "./shapes.ts";

const waitSecondsMax = 50;

export function addTaskTools(world: World): void {
  addGenerate(world);
  addUpscale(world);
  world.server.registerTool(
    "get_task",
    {
      description: "State and files of a task. waitSeconds waits for its end.",
      inputSchema: z.object({
        taskId: z.string(),
        waitSeconds: z.int().min(0).max(waitSecondsMax).default(0),
      }),
      annotations: readOnly,
    },
    ({ taskId, waitSeconds }, ctx) =>
      answerErrors(async () => {
        const seen = await readTask(world.client, taskId);
        if (seen === undefined) return refuse("task_not_found", "There is no such task.");
        return waitAndShow(world, ctx, seen, waitSeconds * 1_000);
      }),
  );
}

function addGenerate(world: World): void {
  const { server, client } = world;
  server.registerTool(
    "generate",
    {
      description:
        "Makes a video or an image; costs credits. Answers links to the files, or a taskId for get_task.",
      inputSchema: z.object({ ...taskShape, maxCredits }),
      annotations: spends,
    },
    (args, ctx) =>
      answerErrors(async () => {
        const request = taskRequest(args.model, args.inputs);
        const decision = await decideSpending(world, ctx, {
          ...{ tool: "generate", args, what: `A task with ${args.model}` },
          price: () => client.quote(request),
        });
        if (decision.kind === "answer") return decision.result;
        const { limit, idempotencyKey } = decision;
        const limited = { ...request, ...(limit === undefined ? {} : { maxCredits: limit }) };
        const seen = await createOnce(world, "generation", idempotencyKey, (key) =>
          client.tasks.create(limited, { idempotencyKey: key }),
        );
        return handOver(world, ctx, seen);
      }),
  );
}

function addUpscale(world: World): void {
  const { server, client } = world;
  server.registerTool(
    "upscale",
    {
      description:
        "Upscales the video of a task, or at a URL; costs credits per second. A video at a URL is measured first: above maxCredits its task fails and costs nothing.",
      inputSchema: z.object({
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
        const source = await findSource(world, args);
        if (source === null)
          return refuse("invalid_parameters", "Give url, or the taskId of a finished video.");
        const decision = await decideSpending(world, ctx, {
          ...{ tool: "upscale", args, what: `An upscale to ${targetResolution}` },
          price: () => priceOf(world, source.seconds, targetResolution),
        });
        if (decision.kind === "answer") return decision.result;
        const { limit, idempotencyKey } = decision;
        const limits = limit === undefined ? {} : { maxCredits: limit };
        const seen = await createOnce(world, "upscale", idempotencyKey, (key) =>
          client.upscales.create(source.url, targetResolution, { ...limits, idempotencyKey: key }),
        );
        return handOver(world, ctx, seen);
      }),
  );
}

async function findSource(
  { client }: World,
  { taskId, url }: { taskId?: string | undefined; url?: string | undefined },
): Promise<{ url: string; seconds: number | null } | null> {
  if (taskId === undefined) return url === undefined ? null : { url, seconds: null };
  const [output] = (await readTask(client, taskId))?.outputs ?? [];
  return output === undefined ? null : { url: output.url, seconds: output.durationSeconds };
}

/** null where the length is not known: the service measures it, and keeps to the limit. */
async function priceOf({ client }: World, seconds: number | null, resolution: string) {
  if (seconds === null) return null;
  const { targets, secondsBilledMin } = (await client.models()).upscaler;
  const target = targets.find(({ targetResolution }) => targetResolution === resolution);
  if (target === undefined) return null;
  return { credits: Math.max(Math.ceil(seconds), secondsBilledMin) * target.creditsPerSecond };
}
