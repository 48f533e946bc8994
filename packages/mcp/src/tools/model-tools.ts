import type { Model } from "@zoetrope/sdk";
import { z } from "zod";
import { answer, answerErrors, refuse } from "../answer.ts";
import type { McpContext } from "../mcp-context.ts";
import { readOnly, taskRequest, taskShape } from "./shapes.ts";

export function addModelTools({ server, client }: McpContext): void {
  server.registerTool(
    "list_models",
    {
      description: "Models for videos and images with their modes and prices, and the upscaler's.",
      inputSchema: z.strictObject({ kind: z.enum(["video", "image"]).optional() }),
      annotations: readOnly,
    },
    ({ kind }) =>
      answerErrors(async () => {
        const { models, upscaler } = await client.models();
        const chosen = models.filter((model) => kind === undefined || model.kind === kind);
        return answer({ models: chosen.map(summarise), upscaler });
      }),
  );

  server.registerTool(
    "describe_model",
    {
      description: "One model: JSON Schema of its inputs, modes, prices, limits.",
      inputSchema: z.strictObject({ model: z.string() }),
      annotations: readOnly,
    },
    ({ model: name }) =>
      answerErrors(async () => {
        const { models } = await client.models();
        const model = models.find((one) => one.model === name);
        if (model !== undefined) return answer({ ...model, inputs: withoutForm(model.inputs) });
        const names = models.map((one) => one.model).join(", ");
        return refuse("model_not_found", `There is no such model. The models are ${names}.`);
      }),
  );

  server.registerTool(
    "quote",
    {
      description:
        "The price of generate with the same arguments. Checks them and creates nothing.",
      inputSchema: z.strictObject(taskShape),
      annotations: readOnly,
    },
    ({ model, inputs }) =>
      answerErrors(async () => answer(await client.quote(taskRequest(model, inputs)))),
  );
}

function summarise({ model, kind, title, summary, modes, prices, deprecation }: Model) {
  return {
    model,
    kind,
    title,
    summary,
    modes: modes.map(({ mode, when }) => ({ mode, when })),
    prices,
    deprecation: deprecation ?? undefined,
  };
}

/** Without the keywords that describe a form: an agent has no use for them. */
function withoutForm(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutForm);
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name]) => !name.startsWith("x-"))
      .map(([name, member]) => [name, withoutForm(member)]),
  );
}
