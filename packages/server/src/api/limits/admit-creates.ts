import type { FastifyInstance } from "fastify";
import { acceptsMax } from "../../batches/accept-tasks.ts";
import type { Context } from "../../context.ts";
import { ApiError, errorCatalogue, languageTags } from "../../errors.ts";
import { languageOfRequest } from "../../http/in-language.ts";
import { countWaitingAccepts } from "../../tasks/accept-task.ts";
import { errorBody } from "../render-error.ts";
import { createAdmission } from "./admission.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The request asks for a task, which is accepted together with those of others. */
    createsTask?: boolean;
  }
  interface FastifyRequest {
    /** Refused for want of room. Such requests are counted, not noted one by one. */
    isCrowdedOut?: true;
  }
}

const limits = {
  shallowMax: acceptsMax,
  burstMax: 8 * acceptsMax,
  burstMs: 250,
  standingMax: 2 * acceptsMax,
  newcomerMax: 3 * acceptsMax,
  windowMs: 1_000,
};
const logEveryMs = 1_000;
const retryAfterSecondsMax = 3;
const refusal = new ApiError("service_unavailable", {
  message: {
    en: "More tasks arrive than can be accepted. Nothing was done. Retry after a few seconds.",
    zh: "到达的任务超出可接受的数量，没有执行任何操作。请在几秒后重试。",
  },
});

/**
 * Refuses creates while more of them arrive than the database accepts, before their body is read and before
 * anything is queried for them. A refusal must cost far less than a create, or refusals would crowd out
 * creates: it is sent from here as text, without the error that others are. Reads do not pass here.
 */
export function admitCreates(app: FastifyInstance, ctx: Context): void {
  const admission = createAdmission(limits, () => countWaitingAccepts(ctx));
  ctx.metrics.createsWaiting.observe(() => [[countWaitingAccepts(ctx), {}]]);
  let refused = 0;
  const logging = setInterval(() => {
    if (refused > 0) ctx.log.warn({ event: "creates.refused", requests: refused });
    refused = 0;
  }, logEveryMs).unref();
  app.addHook("onClose", async () => clearInterval(logging));
  app.addHook("onRequest", (request, reply, done) => {
    const { config } = request.routeOptions;
    if (config.createsTask !== true || admission.isAdmitted(request.caller.id)) return done();
    request.isCrowdedOut = true;
    ctx.metrics.createsRefused.add({});
    refused += 1;
    reply.code(errorCatalogue[refusal.code].status).type("application/json; charset=utf-8");
    reply.header("Retry-After", 1 + (refused % retryAfterSecondsMax)); // who is refused together should not come back together
    const language = languageOfRequest(request);
    reply.header("Content-Language", languageTags[language]);
    reply.send(JSON.stringify(errorBody(refusal, request.id, language)));
  });
}
