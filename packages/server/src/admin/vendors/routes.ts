import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { staffRefusals } from "../../http/error-answers.ts";
import type { AdminContext } from "../context.ts";
import { done, readers, reason, writers } from "../schema.ts";
import { pauseVendor, weighVendor } from "./change-vendor.ts";
import { listVendors } from "./list-vendors.ts";
import { vendorsAnswer, vendorTestAnswer } from "./schema.ts";
import { testVendor } from "./test-vendor.ts";

const url = "/api/admin/v1/vendor-accounts";
const tags = ["vendor accounts"];

const nameParams = z.object({ name: z.string().max(200) });
const reasonBody = z.strictObject({ reason: reason.optional() });
const weightBody = z.strictObject({
  weight: z.int().min(0).max(1_000),
  reason: reason.optional(),
});

export function vendorRoutes(ctx: AdminContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      url,
      {
        config: readers,
        schema: {
          ...{ operationId: "listVendorAccounts", tags },
          summary: "List vendor accounts with their health",
          response: { 200: vendorsAnswer, ...staffRefusals() },
        },
      },
      () => listVendors(ctx),
    );

    const refused = staffRefusals(400, 404, 413, 415);
    for (const [verb, isPaused, summary] of [
      ["pause", true, "Submit nothing more to a vendor account"],
      ["resume", false, "Submit to a vendor account again"],
    ] as const)
      app.post(
        `${url}/:name/${verb}`,
        {
          config: writers,
          schema: {
            ...{ operationId: `${verb}VendorAccount`, summary, tags },
            params: nameParams,
            body: reasonBody,
            response: { 200: done, ...refused },
          },
        },
        async ({ actor, params, body }) => {
          await pauseVendor(ctx.home, actor, params.name, isPaused, body.reason);
          return {};
        },
      );

    app.post(
      `${url}/:name/test`,
      {
        config: writers,
        schema: {
          ...{ operationId: "testVendorAccount", tags },
          summary: "Make a call that costs nothing at a vendor account",
          params: nameParams,
          response: { 200: vendorTestAnswer, ...staffRefusals(404) },
        },
      },
      ({ actor, params }) => testVendor(ctx, actor, params.name),
    );

    app.put(
      `${url}/:name/weight`,
      {
        config: writers,
        schema: {
          ...{ operationId: "weighVendorAccount", tags },
          summary: "Set how much of the submits goes to a vendor account",
          params: nameParams,
          body: weightBody,
          response: { 200: done, ...refused },
        },
      },
      async ({ actor, params, body }) => {
        await weighVendor(ctx.home, actor, params.name, body.weight, body.reason);
        return {};
      },
    );
  };
}
