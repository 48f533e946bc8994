import type { FastifyPluginAsync } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Caller } from "../accounts/queries.ts";
import type { Language } from "../errors.ts";
import { createShareReads } from "../flow/share-reads.ts";
import { refusals } from "../http/error-answers.ts";
import { idempotencyHeaders } from "../http/idempotency-headers.ts";
import { languageOf } from "../http/in-language.ts";
import { addOpenTasksHeaders } from "../http/open-tasks.ts";
import { answerWith, prepareDocument, type ReadyDocument } from "../http/ready-document.ts";
import { type Live, liveRoute } from "../live/routes.ts";
import { waitingText } from "../live/schema.ts";
import { deprecationHeaders, deprecationsOf } from "../models/deprecation.ts";
import { findPricing } from "../prices/find-pricing.ts";
import type { VendorsContext } from "../tasks/context.ts";
import type { ModelsContext } from "./context.ts";
import { createTask } from "./create-task.ts";
import { deleteMedia } from "./delete-media.ts";
import { listModels, type Prices } from "./list-models.ts";
import { findCallback, receiveVendorCallback } from "./poll/receive-vendor-callback.ts";
import { queryTask } from "./query-task.ts";
import { quoteTask } from "./quote-task.ts";
import {
  createTaskAnswer,
  createTaskBody,
  deleteMediaAnswer,
  generationTask,
  modelsAnswer,
  queryTaskQuery,
  quoteAnswer,
} from "./schema.ts";

const jsonType = "application/json; charset=utf-8";
const notModified = z.undefined().meta({ description: "Not modified since the given ETag." });
/** Loose: the other headers are read as well. */
const languageHeaders = z.looseObject({
  "accept-language": z
    .string()
    .optional()
    .meta({ description: "Language of the texts: en (the default) or zh." }),
});

export function generationRoutes(ctx: ModelsContext, live: Live): FastifyPluginAsyncZod {
  const share = createShareReads();
  return async (app) => {
    app.post(
      "/api/v1/jobs/createTask",
      {
        config: { scope: "tasks", locksAccount: true, createsTask: true },
        schema: {
          operationId: "createTask",
          summary: "Create a task",
          description: `Accepts a task of a model, holds its price and returns its id at once. \`inputs\` select the mode of the model; those that the mode does not take are a 400 that names the parameter. Read the task with \`queryTask\` until it is COMPLETED or FAILED, or get a callback at \`callBackUrl\`: its body is among the webhooks of this document. A completed task is charged what was held, a failed one nothing. A price above the available credits or above \`maxCredits\` is a 402, and a task beyond those that the account can have open is a 429 with \`Retry-After\`. Send an \`Idempotency-Key\`, so that a request whose response was lost can be repeated without a second task.`,
          tags: ["tasks"],
          headers: idempotencyHeaders,
          body: createTaskBody,
          response: {
            200: createTaskAnswer,
            ...refusals(400, 401, 402, 403, 409, 413, 415, 422, 429, 500, 503),
          },
        },
      },
      async (request, reply) => {
        const { model, inputs } = request.body;
        reply.headers(deprecationHeaders(deprecationsOf(ctx.models, model, inputs)));
        const key = request.headers["idempotency-key"] ?? null;
        const created = await createTask(ctx, request.caller, request.body, key);
        if (created.replayed) reply.header("Idempotent-Replayed", "true");
        if (created.openTasks !== null) addOpenTasksHeaders(reply, created.openTasks);
        return { taskId: created.taskId };
      },
    );

    app.post(
      "/api/v1/jobs/quote",
      {
        config: { scope: "tasks" },
        schema: {
          operationId: "quoteTask",
          summary: "Price a task without creating it",
          description:
            "Takes the body of `createTask` and returns the price that it would hold, with its items. The inputs are checked as `createTask` checks them; nothing is held or created. The balance, the number of open tasks and `maxCredits` do not matter.",
          tags: ["tasks"],
          body: createTaskBody,
          response: { 200: quoteAnswer, ...refusals(400, 401, 403, 409, 413, 415, 429, 500) },
        },
      },
      (request, reply) => {
        const { model, inputs } = request.body;
        reply.headers(deprecationHeaders(deprecationsOf(ctx.models, model, inputs)));
        return quoteTask(ctx, request.caller, request.body);
      },
    );

    app.delete(
      "/api/v1/jobs/media",
      {
        config: { scope: "tasks" },
        schema: {
          operationId: "deleteMedia",
          summary: "Delete the media of a task",
          description:
            "Removes the output files of a task that is over, together with the copies of its inputs. Their links stop working at once; the record of the task stays.",
          tags: ["tasks"],
          querystring: queryTaskQuery,
          response: { 200: deleteMediaAnswer, ...refusals(400, 401, 403, 404, 409, 429, 500) },
        },
      },
      (request) => deleteMedia(ctx, request.caller, request.query.taskId),
    );

    liveRoute(app, live, {
      url: "/api/v1/jobs/queryTask",
      kind: "generation",
      describe: {
        operationId: "queryTask",
        summary: "Read a task, wait for a change, or stream it",
        description: `The state of a generation task, with its output once it is COMPLETED. ${waitingText} A task of another account is a 403, an unknown one a 404.`,
        tags: ["tasks"],
      },
      querystring: queryTaskQuery,
      answer: generationTask,
      read: (caller, taskId) =>
        share(`${caller.id} ${taskId}`, () => queryTask(ctx, caller, taskId)),
    });
  };
}

/** Catalogues that are kept. An account with a discount has its own. */
const cataloguesMax = 100;

async function pricesOf(ctx: ModelsContext, caller: Caller): Promise<Prices> {
  const { pricing } = await findPricing(ctx, caller, { at: null });
  const { version } = pricing;
  const versions = ctx.prices.current().get(version.book) ?? [];
  const next = versions.find(({ validFrom }) => validFrom > version.validFrom) ?? null;
  return { version, next, discount: pricing.discount > 0 ? (caller.discount ?? null) : null };
}

async function prepare(ctx: ModelsContext, prices: Prices, language: Language) {
  const answer = modelsAnswer.parse(listModels(ctx, prices, language));
  return prepareDocument(jsonType, JSON.stringify(answer), { language });
}

export function modelRoutes(ctx: ModelsContext): FastifyPluginAsync {
  return async (app) => {
    const catalogues = new Map<string, Promise<ReadyDocument>>();
    let switches = ctx.switches.current();
    /** Made for its first reader, so that a server starts without it, and again after a switch. */
    const catalogueOf = (prices: Prices, language: Language) => {
      if (switches !== ctx.switches.current() || catalogues.size >= cataloguesMax)
        catalogues.clear();
      switches = ctx.switches.current();
      const { version, next, discount } = prices;
      const name = JSON.stringify([version.id, next?.id, discount, language]);
      const ready = catalogues.get(name) ?? prepare(ctx, prices, language);
      catalogues.set(name, ready);
      return ready;
    };
    app.get(
      "/api/v1/models",
      {
        config: { scope: "tasks" },
        schema: {
          operationId: "listModels",
          summary: "List models with their inputs and prices",
          description:
            "Each model with its modes, a JSON Schema of its inputs, its prices for the caller's account and the age at which a task fails; and the upscaler. `prices` says by which version of the price book the account pays, and when the next one begins. The schemas have what a form needs. `If-None-Match` with the `ETag` of a response gives a 304 while nothing has changed.",
          tags: ["models"],
          headers: languageHeaders,
          response: { 200: modelsAnswer, 304: notModified, ...refusals(401, 429, 500) },
        },
      },
      async (request, reply) => {
        const language = languageOf(request.headers["accept-language"]);
        const catalogue = await catalogueOf(await pricesOf(ctx, request.caller), language);
        const answer = answerWith(catalogue, request.headers, "private, no-cache");
        return reply.code(answer.statusCode).headers(answer.headers).send(answer.body);
      },
    );
  };
}

const callbackBytesMax = 64 * 1024;
/** The response to every callback, which reveals nothing. */
const nothingLearnt = {};

export function vendorCallbackRoutes(ctx: VendorsContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      "/vendors/:vendorAccount/:taskId/:token",
      {
        bodyLimit: callbackBytesMax,
        config: { isPublic: true, counts: "refusals" },
        schema: {
          hide: true,
          params: z.object({ vendorAccount: z.string(), taskId: z.string(), token: z.string() }),
        },
        onRequest: async (request, reply) => {
          if (findCallback(ctx, request.params) !== null) return undefined;
          ctx.log.warn({ event: "vendor.callback.forged", requestId: request.id });
          request.isForged = true;
          return reply.send(nothingLearnt); // before its body is read
        },
      },
      async (request) => {
        await receiveVendorCallback(ctx, request.params, request.body);
        return nothingLearnt;
      },
    );
  };
}
