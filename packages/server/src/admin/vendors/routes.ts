import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { staffRefusals } from "../../http/error-answers.ts";
import { withoutUndefined } from "../../http/without-undefined.ts";
import type { AdminContext } from "../context.ts";
import { done, readers, reason, writers } from "../schema.ts";
import { addVendor } from "./add-vendor.ts";
import { limitVendor, pauseVendor, removeVendor, weighVendor } from "./change-vendor.ts";
import { listVendors } from "./list-vendors.ts";
import { rotateVendor } from "./rotate-vendor.ts";
import {
  addVendorBody,
  limitsBody,
  rotateVendorBody,
  savedVendorAnswer,
  vendorsAnswer,
  vendorTestAnswer,
} from "./schema.ts";
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
        config: readers("vendors"),
        schema: {
          operationId: "listVendorAccounts",
          tags,
          summary: "List vendor accounts with their health",
          response: { 200: vendorsAnswer, ...staffRefusals() },
        },
      },
      () => listVendors(ctx),
    );

    await app.register(ownVendorRoutes(ctx));
    await app.register(changeVendorRoutes(ctx));
  };
}

/** A key that is stored outlasts the session in which it was. */
const proven = { ...writers("vendors"), needsProof: true } as const;

function ownVendorRoutes(ctx: AdminContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      url,
      {
        config: proven,
        schema: {
          operationId: "addVendorAccount",
          tags,
          summary: "Add a vendor account, whose key is tested first",
          body: addVendorBody,
          response: { 200: savedVendorAnswer, ...staffRefusals(400, 409, 413, 415) },
        },
      },
      ({ actor, body }) => {
        const { baseUrl, isTest, unchecked, models = null, settings, ...vendorAccount } = body;
        return addVendor(ctx, actor, {
          ...vendorAccount,
          models,
          settings: { ...settings, baseUrl, isTest },
          isUnchecked: unchecked,
        });
      },
    );

    app.post(
      `${url}/:name/rotate`,
      {
        config: proven,
        schema: {
          operationId: "rotateVendorAccount",
          tags,
          summary: "Replace the key of a vendor account; the new one is tested first",
          params: nameParams,
          body: rotateVendorBody,
          response: { 200: savedVendorAnswer, ...staffRefusals(400, 404, 409, 413, 415) },
        },
      },
      ({ actor, params: { name }, body: { apiKey, unchecked } }) =>
        rotateVendor(ctx, actor, { name, apiKey, isUnchecked: unchecked }),
    );

    app.delete(
      `${url}/:name`,
      {
        config: writers("vendors"),
        schema: {
          operationId: "removeVendorAccount",
          tags,
          summary: "Submit nothing more to a vendor account, for good",
          params: nameParams,
          response: { 200: done, ...staffRefusals(404) },
        },
      },
      async ({ actor, params }) => {
        await removeVendor(ctx.directory, actor, params.name);
        return {};
      },
    );
  };
}

function changeVendorRoutes(ctx: AdminContext): FastifyPluginAsyncZod {
  return async (app) => {
    const refused = staffRefusals(400, 404, 413, 415);
    app.put(
      `${url}/:name/limits`,
      {
        config: writers("vendors"),
        schema: {
          operationId: "limitVendorAccount",
          tags,
          summary: "Set how much a vendor account takes at once and in a day",
          params: nameParams,
          body: limitsBody,
          response: { 200: done, ...refused },
        },
      },
      async ({ actor, params, body: { reason: why, openJobsMax, creditsPerDayMax } }) => {
        const limits = withoutUndefined({ openJobsMax, creditsPerDayMax });
        await limitVendor(ctx.directory, actor, params.name, limits, why);
        return {};
      },
    );

    for (const [verb, isPaused, summary] of [
      ["pause", true, "Submit nothing more to a vendor account"],
      ["resume", false, "Submit to a vendor account again"],
    ] as const)
      app.post(
        `${url}/:name/${verb}`,
        {
          config: writers("vendors"),
          schema: {
            operationId: `${verb}VendorAccount`,
            summary,
            tags,
            params: nameParams,
            body: reasonBody,
            response: { 200: done, ...refused },
          },
        },
        async ({ actor, params, body }) => {
          await pauseVendor(ctx.directory, actor, params.name, isPaused, body.reason);
          return {};
        },
      );

    app.post(
      `${url}/:name/test`,
      {
        config: writers("vendors"),
        schema: {
          operationId: "testVendorAccount",
          tags,
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
        config: writers("vendors"),
        schema: {
          operationId: "weighVendorAccount",
          tags,
          summary: "Set how much of the submits goes to a vendor account",
          params: nameParams,
          body: weightBody,
          response: { 200: done, ...refused },
        },
      },
      async ({ actor, params, body }) => {
        await weighVendor(ctx.directory, actor, params.name, body.weight, body.reason);
        return {};
      },
    );
  };
}
