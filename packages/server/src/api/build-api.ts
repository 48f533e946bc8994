import { randomUUID } from "node:crypto";
import Fastify, { type FastifyError } from "fastify";
import { serializerCompiler, type ZodTypeProvider } from "fastify-type-provider-zod";
import { AccountMoved, isMoved } from "../accounts/account-moved.ts";
import { ApiError } from "../errors.ts";
import { outerRequestId } from "../http/inner-requests.ts";
import { validate } from "../http/validate.ts";
import type { Live } from "../live/routes.ts";
import { arrivalMsMax } from "../verify/pass-file.ts";
import { describeAdminRoutes } from "./admin-openapi.ts";
import { authenticate } from "./authenticate.ts";
import { boundArrivals } from "./bound-arrivals.ts";
import { answerBrokenRequest, refuseExpectations } from "./broken-requests.ts";
import type { ApiContext } from "./context.ts";
import { findCallerOnce } from "./find-caller-once.ts";
import { admitCreates } from "./limits/admit-creates.ts";
import { boundAccounts } from "./limits/bound-accounts.ts";
import { limitStrangers } from "./limits/limit-strangers.ts";
import { createSlowRefusals } from "./limits/slow-refusals.ts";
import { takeTurns } from "./limits/take-turns.ts";
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
import { speakLanguage } from "./speak-language.ts";
import type { Forwarding } from "./spread-requests.ts";
import { traceRequests } from "./trace-requests.ts";

const bodyBytesMax = 256 * 1024;
/** The maximum length of a path that is repeated in an error. */
const pathShownMax = 200;
/**
 * The time limits for the headers and for the whole request to arrive, and the interval at which they are
 * checked. Node swaps the two silently when the first is longer.
 */
const defaults = {
  headersMsMax: 10_000,
  requestMsMax: 30_000,
  checkEveryMs: 5_000,
  /**
   * The time for which a key is cached. Together with `checkKeysMs` of subscriptions, less than ten
   * seconds.
   */
  rememberKeyMs: 5_000,
  rememberUnknownKeyMs: 5_000,
};

/** The default headers of everything under /api. A route whose responses may be cached overrides them. */
const privateHeaders = {
  "Cache-Control": "private, no-store",
  Vary: "Authorization, Cookie, Accept-Language",
};
const strictTransport = { "Strict-Transport-Security": "max-age=31536000" };

/** Builds the API server: every route, and the hooks that they share. */
export async function buildApi(
  ctx: ApiContext,
  changes: Partial<typeof defaults> = {},
  givenLive: Partial<Live> = {},
  /** The forwarding rows of a deployment with several shards. */
  forwarding: Forwarding | null = null,
) {
  const limits = { ...defaults, ...changes };
  const transport = ctx.config.links.publicUrl.startsWith("https:") ? strictTransport : {};
  const app = Fastify({
    bodyLimit: bodyBytesMax,
    requestTimeout: Math.max(limits.requestMsMax, arrivalMsMax),
    http: {
      headersTimeout: limits.headersMsMax,
      connectionsCheckingInterval: limits.checkEveryMs,
    },
    return503OnClosing: false, // requests on open connections are still served, then the connections close
    trustProxy: (_address, hop) => hop < ctx.config.api.proxies,
    genReqId: () => outerRequestId.getStore() ?? newRequestId(),
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
  app.setNotFoundHandler(({ method, url }) => {
    throw noEndpoint(method, url);
  });
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("X-Request-Id", request.id);
    reply.headers(request.url.startsWith("/api/") ? privateHeaders : {}).headers(transport);
    done();
  });
  boundArrivals(app, limits.requestMsMax);
  app.addHook("preSerialization", speakLanguage);
  limitStrangers(app, ctx);
  const keyUses = createKeyUses(ctx);
  app.addHook("onRequest", authenticate(ctx, callers, keyUses, forwarding));
  app.addHook("onClose", () => keyUses.close());
  admitCreates(app, ctx);
  takeTurns(app);
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
  boundAccounts(app, ctx);
  const live = openLive(app, ctx, givenLive, callers.forget);
  await registerRoutes(app, ctx, live);
  refuseOtherMethods();
  return Object.assign(app, { drain: () => health.drain(), live: live.subscriptions });
}

function noEndpoint(method: string, url: string): ApiError {
  const path = (url.split("?")[0] ?? "").slice(0, pathShownMax);
  const hint = /(\/api\/v1){2}/.test(path) ? " The base URL ends before /api/v1." : "";
  return new ApiError("not_found", {
    message: {
      en: `There is no endpoint ${method} ${path}.${hint}`,
      zh: `没有接口 ${method} ${path}。${hint === "" ? "" : "基础 URL 到 /api/v1 之前为止。"}`,
    },
  });
}

export type OpenApi = Awaited<ReturnType<typeof buildApi>>;

/**
 * Returns a request id as one string: Node joins a UUID from a dozen parts, which take 500 bytes for as
 * long as a client waits.
 */
function newRequestId(): string {
  return Buffer.from(randomUUID(), "latin1").toString("latin1");
}
