import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { ApiError } from "../../errors.ts";
import { staffRefusals } from "../../http/error-answers.ts";
import { upscalerModel } from "../../models/upscaler.ts";
import { listSwitches } from "../../switches/queries.ts";
import { setBanner, switchModel } from "../../switches/set-switch.ts";
import { bannerSchema, readSwitches } from "../../switches/switches.ts";
import type { AdminContext } from "../context.ts";
import { done, readers, reason, time, writers } from "../schema.ts";

const url = "/api/admin/v1/switches";
const tags = ["switches"];

const switchesAnswer = z.object({
  banner: bannerSchema.nullable(),
  models: z.array(
    z
      .object({
        model: z.string(),
        isOn: z.boolean(),
        message: z.string().nullable().meta({ description: "What callers are told." }),
      })
      .meta({ id: "ModelSwitch" }),
  ),
});
const bannerBody = z.strictObject({
  severity: bannerSchema.shape.severity,
  text: bannerSchema.shape.text,
  until: time.optional().meta({ description: "Not shown from then on. Epoch milliseconds." }),
});
const modelBody = z.strictObject({
  isOn: z.boolean(),
  message: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .optional()
    .meta({ description: "A sentence for callers while the model is off." }),
  reason: reason.optional(),
});
const modelParams = z.object({ model: z.string().max(100) });

export function switchRoutes(ctx: AdminContext): FastifyPluginAsyncZod {
  const names = [...ctx.models.map(({ name }) => name), upscalerModel];
  return async (app) => {
    app.get(
      url,
      {
        config: readers("switches"),
        schema: {
          operationId: "readSwitches",
          summary: "Read the banner and the models",
          tags,
          response: { 200: switchesAnswer, ...staffRefusals() },
        },
      },
      async () => {
        const { banner, modelsOff } = readSwitches(await listSwitches(ctx.directory.db));
        const models = names.map((model) => {
          const off = modelsOff.get(model);
          return { model, isOn: off === undefined, message: off?.message ?? null };
        });
        return { banner, models };
      },
    );

    app.put(
      `${url}/banner`,
      {
        config: writers("switches"),
        schema: {
          operationId: "showBanner",
          tags,
          summary: "Show a banner in place of the one before",
          body: bannerBody,
          response: { 200: done, ...staffRefusals(400, 413, 415) },
        },
      },
      async ({ actor, body }) => {
        await setBanner(ctx.directory, actor, { ...body, until: body.until ?? null });
        return {};
      },
    );

    app.delete(
      `${url}/banner`,
      {
        config: writers("switches"),
        schema: {
          operationId: "removeBanner",
          summary: "Remove the banner",
          tags,
          response: { 200: done, ...staffRefusals(404) },
        },
      },
      async ({ actor }) => {
        await setBanner(ctx.directory, actor, null);
        return {};
      },
    );

    app.put(
      `${url}/models/:model`,
      {
        config: writers("switches"),
        schema: {
          operationId: "switchModel",
          tags,
          summary: "Switch a model off for new tasks, or on again",
          params: modelParams,
          body: modelBody,
          response: { 200: done, ...staffRefusals(400, 404, 413, 415) },
        },
      },
      async ({ actor, params: { model }, body }) => {
        if (!names.includes(model)) throw new ApiError("switch_not_found");
        const off = body.isOn ? null : { message: body.message ?? null };
        await switchModel(ctx.directory, actor, model, off, body.reason);
        return {};
      },
    );
  };
}
