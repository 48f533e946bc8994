import { randomUUID } from "node:crypto";
import Fastify, { type FastifyError } from "fastify";
import { serializerCompiler, type ZodTypeProvider } from "fastify-type-provider-zod";
import { AccountMoved, isMoved } from "../accounts/account-moved.ts";
import { ApiError } from "../errors.ts";
import { outerRequestId } from "../http/inner-requests.ts";
import { validate } from "../http/validate.ts";
import type { Live } from "../live/routes.ts";
import { describeAdminRoutes } from "./admin-openapi.ts";
import { authenticate } from "./authenticate.ts";
import { answerBrokenRequest, refuseExpectations } from "./broken-requests.ts";
import type { ApiContext } from "./context.ts";
import { findCallerOnce } from "./find-caller-once.ts";
import { admitCreates } from "./limits/admit-creates.ts";
import { boundAccounts } from "./limits/bound-accounts.ts";
import { createSlowRefusals } from "./limits/slow-refusals.ts";
import { createRequestLog } from "./log-requests.ts";
import { createKeyUses } from "./note-key-uses.ts";
import { noteRequests } from "./note-requests.ts";
import { openLive } from "./open-live.ts";
import { describeRoutes } from "./openapi.ts";
import { collectAddresses } from "./other-methods.ts";
import { refuseUnstorableText } from "./refuse-unstorable-text.ts";
import { registerRoutes } from "./register-routes.ts";
import { renderError } from "./render-error.ts";
import { requireScopes } from "./scopes.ts";
import { serveHealth } from "./serve-health.ts";
import type { Signposts } from "./spread-requests.ts";
import { traceRequests } from "./trace-requests.ts";

const bodyBytesMax = 256 * 1024;
/**
 * How long the headers and the whole request may take to arrive, and how often that is checked.
 * Node swaps the two silently when the first is longer.
 */
const defaults = {
  headersMsMax: 10_000,
  requestMsMax: 30_000,
  checkEveryMs: 5_000,
  /** How long a key is cached. Together with `checkKeysMs` of subscriptions, less than ten seconds. */
  rememberKeyMs: 5_000,
  rememberUnknownKeyMs: 5_000,
};

/** Builds the API server: every route, and the hooks that they share. */
export async function buildApi(
  ctx: ApiContext,
  changes: Partial<typeof defaults> = {},
  givenLive: Partial<Live> = {},
  /** Of several shards. */
  signposts: Signposts | null = null,
) {
  const limits = { ...defaults, ...changes };
  const app = Fastify({
    bodyLimit: bodyBytesMax,
    requestTimeout: limits.requestMsMax,
    http: {
      headersTimeout: limits.headersMsMax,
      connectionsCheckingInterval: limits.checkEveryMs,
    },
    return503OnClosing: false, // requests on open connections are still served, then the connections close
    trustProxy: (_address, hop) => hop < ctx.config.api.proxies,
    genReqId: () => outerRequestId.getStore() ?? randomUUID(),
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: "idle",
    frameworkErrors: renderError(ctx),
    clientErrorHandler: answerBrokenRequest,
  }).withTypeProvider<ZodTypeProvider>();
  refuseExpectations(app.server);
  app.removeContentTypeParser("text/plain"); // bodies are JSON
  refuseUnstorableText(app);
  app.setValidatorCompiler(validate);
  app.setSerializerCompiler(serializerCompiler);
  const render = renderError(ctx);
  const delay = createSlowRefusals();
  const callers = findCallerOnce(ctx, limits);
  app.setErrorHandler<FastifyError | AccountMoved>(async (error, request, reply) => {
    await delay(error, request);
    if (!isMoved(error)) return render(error, request, reply);
    if (request.caller !== undefined) callers.forget(request.caller.id);
    return render(new AccountMoved(), request, reply);
  });
  app.setNotFoundHandler(() => {
    throw new ApiError("not_found");
  });
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("X-Request-Id", request.id);
    done();
  });
  const keyUses = createKeyUses(ctx);
  app.addHook("onRequest", authenticate(ctx, callers, keyUses, signposts));
  app.addHook("onClose", () => keyUses.close());
  admitCreates(app, ctx);
  traceRequests(app, ctx);
  app.addHook("onResponse", noteRequests(ctx));
  const requestLog = createRequestLog(ctx);
  app.addHook("onResponse", (request, reply, done) => {
    requestLog.note(request, reply);
    done();
  });
  app.addHook("onClose", () => requestLog.close());
  const refuseOtherMethods = collectAddresses(app);
  requireScopes(app);
  await describeRoutes(app, ctx.models);
  await describeAdminRoutes(app);
  const health = serveHealth(app, ctx);
  const { forAll } = boundAccounts(app, ctx);
  const live = openLive(app, ctx, givenLive, forAll, callers.forget);
  await registerRoutes(app, ctx, live);
  refuseOtherMethods();
  return Object.assign(app, { drain: () => health.drain(), live: live.subscriptions });
}

export type OpenApi = Awaited<ReturnType<typeof buildApi>>;
