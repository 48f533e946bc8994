import type { FastifyReply, FastifyRequest } from "fastify";
import {
  isServiceKey,
  looksLikeKey,
  looksLikeServiceKey,
  shardOfKey,
} from "../accounts/api-key.ts";
import { LivesElsewhere } from "../accounts/lives-elsewhere.ts";
import { type Caller, findMovedTo } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import { ApiError } from "../errors.ts";
import { requireOwnOrigin } from "../http/own-origin.ts";
import type { AccountId, Actor } from "../ids.ts";
import { readCookie, sessionCookieName } from "../people/cookies.ts";
import { personActor, type RequestFacts } from "../people/request-facts.ts";
import type { Session } from "../people/session-queries.ts";
import type { Callers } from "./find-caller-once.ts";
import { findMember } from "./find-member.ts";
import { createFindService } from "./find-service.ts";
import { createFindSession } from "./find-session.ts";
import { clientAddressOf } from "./limits/client-address.ts";
import { createAddressLimit, createRateLimit } from "./limits/rate-limit.ts";
import type { KeyUses } from "./note-key-uses.ts";
import { factsOf } from "./request-facts.ts";
import { checkMayChange, checkRole, checkScope, checkServiceScope, checkStaff } from "./scopes.ts";
import { type Forwarding, idIn } from "./spread-requests.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The account, of routes with a scope or role. */
    caller: Caller;
    /** The caller: a key, a person or a service key. Not set on public routes. */
    actor: Actor;
    /** The session, on requests that have one. */
    session: Session;
    facts: RequestFacts;
  }
  interface FastifyContextConfig {
    /** Reachable without a key. */
    isPublic?: boolean;
  }
}

/** The faults of a key that was sent. A revoked or expired key is unknown, like a key of another deployment. */
const keyFaults = {
  form: {
    en: "The header Authorization must be 'Bearer <API key>': the word, a space and the key.",
    zh: "请求头 Authorization 必须是 'Bearer <API key>'：该单词、一个空格和密钥。",
  },
  foreign: {
    en: "This is not a key of this service: its keys begin with zoe_live_ or zoe_test_.",
    zh: "这不是此服务的密钥：此服务的密钥以 zoe_live_ 或 zoe_test_ 开头。",
  },
  typo: {
    en: "The API key is incomplete or misspelt. Copy it again.",
    zh: "API 密钥不完整或有误。请重新复制。",
  },
  service: {
    en: "This is a service key, which only the operator API takes. Use an API key here.",
    zh: "这是服务密钥，仅用于运营 API。请在此处使用 API 密钥。",
  },
  unknown: {
    en: "This service does not know the API key: it was revoked, it has expired, or it is of another service. Check the base URL.",
    zh: "此服务不认识该 API 密钥：它已被撤销、已过期，或属于另一个服务。请检查基础 URL。",
  },
} as const;

function noKey(fault: keyof typeof keyFaults): ApiError {
  return new ApiError("unauthorized", { message: keyFaults[fault] });
}

/** Every route needs a key or a session unless it says otherwise: forgetting to protect one is not possible. */
export function authenticate(
  ctx: Context,
  callers: Callers,
  uses: KeyUses,
  forwarding: Forwarding | null,
) {
  const shards = ctx.config.database.shards.length;
  const limitRate = createRateLimit(ctx.config.api.requestsPerMinuteMax);
  const failures = createAddressLimit(
    ctx.config.api.failedAuthenticationsPerMinuteMax,
    "API keys or sessions that do not exist",
  );
  const findSession = createFindSession(ctx, failures);
  const findService = createFindService(ctx, failures);

  async function identifyKey(request: FastifyRequest, keyText: string): Promise<Caller> {
    const key = readBearer(keyText);
    if (looksLikeServiceKey(key)) throw noKey("service");
    if (shardOfKey(key, shards) === null) throw noKey(looksLikeKey(key) ? "typo" : "foreign");
    const caller = await callers.find(key, {
      address: clientAddressOf(request),
      onUnknown: () => failures.charge(request),
    });
    if (caller === undefined) throw noKey("unknown");
    requireHere(caller.movedTo);
    return caller;
  }

  async function admitKey(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const caller = await identifyKey(request, request.headers.authorization ?? "");
    const { id: accountId, keyId, requestsPerMinuteMax } = caller;
    if (keyId === null) throw new ApiError("unauthorized");
    request.caller = caller;
    readAsJson(request);
    uses.note(keyId);
    const { address, requestId } = request.facts;
    request.actor = { kind: "key", keyId, accountId, address, requestId };
    limitRate({ kind: "key", id: keyId, requestsPerMinuteMax }, reply);
    checkScope(caller, request);
    checkMayChange(caller, request, ctx.config.testMode.state);
  }

  async function admitService(request: FastifyRequest, reply: FastifyReply, key: string) {
    if (!isServiceKey(key)) throw noKey("typo");
    const caller = await findService(request, key);
    if (caller === undefined) throw noKey("unknown");
    if (!caller.isAllowedHere) throw new ApiError("network_refused");
    readAsJson(request);
    const { address, requestId } = request.facts;
    request.actor = {
      kind: "service",
      serviceKeyId: caller.id,
      issuedBy: caller.issuedBy,
      address,
      requestId,
    };
    limitRate({ kind: "key", id: caller.id, requestsPerMinuteMax: null }, reply);
    checkServiceScope(caller, request);
    if (forwarding !== null) await requireNamedHere(ctx, request);
  }

  async function admitPerson(request: FastifyRequest, reply: FastifyReply, token: string) {
    const { config } = request.routeOptions;
    requireOwnOrigin(request, ctx.config.links.publicUrl);
    const session = await findSession(request, token);
    if (session.awaitsFactor && config.person !== "pending") throw new ApiError("signed_out");
    request.session = session;
    // A cookie that was stolen, or a browser that was left open, must not become a way in that stays.
    if (config.needsProof && !session.isFresh) throw new ApiError("proof_required");
    request.actor = personActor(session.personId, request.facts);
    limitRate({ kind: "person", id: session.personId, requestsPerMinuteMax: null }, reply);
    if (config.person !== undefined) return;
    if (config.staff !== undefined) {
      request.actor = { ...personActor(session.personId, request.facts), isStaff: true };
      checkStaff(session, request, ctx.config);
      return forwarding === null ? undefined : requireNamedHere(ctx, request);
    }
    const caller = await findMember(ctx, session, request.headers["zoetrope-account"]);
    request.caller = caller;
    checkRole(caller.session.role, request);
    checkMayChange(caller, request, ctx.config.testMode.state);
  }

  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    request.facts = factsOf(request);
    const { config } = request.routeOptions;
    if (config.isPublic || request.is404) return;
    if (config.anyKey) return admitKey(request, reply);
    const { authorization, cookie } = request.headers;
    const token = readCookie(cookie, sessionCookieName);
    // A key is sent on purpose, a cookie by the browser: the key decides where both are there.
    if (authorization === undefined && token !== undefined)
      return admitPerson(request, reply, token);
    if (authorization === undefined && config.scope === undefined) throw new ApiError("signed_out");
    const key = config.staff === undefined ? "" : bearerOf(authorization ?? "");
    return looksLikeServiceKey(key) ? admitService(request, reply, key) : admitKey(request, reply);
  }

  return orElsewhere(admit, forwarding);
}

/** The key of the header Authorization; empty if the header has another form. */
function bearerOf(text: string): string {
  const [scheme, key = "", ...rest] = text.trim().split(/[ \t]+/);
  return scheme?.toLowerCase() === "bearer" && rest.length === 0 ? key : "";
}

function readBearer(text: string): string {
  if (text.trim() === "") throw new ApiError("unauthorized");
  const key = bearerOf(text);
  if (key === "") throw noKey("form");
  return key;
}

/**
 * Reads every body of a request with a key as JSON, whatever its type says: `curl -d` says that it is a
 * form. A browser never adds a key by itself, but it adds cookies: with a session the type has to be right.
 */
function readAsJson({ headers }: FastifyRequest): void {
  const length = headers["content-length"];
  const hasBody =
    headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
  if (hasBody || headers["content-type"] !== undefined)
    headers["content-type"] = "application/json";
}

type Admit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

function orElsewhere(admit: Admit, forwarding: Forwarding | null): Admit {
  return async (request, reply) => {
    try {
      await admit(request, reply);
    } catch (error) {
      if (!(error instanceof LivesElsewhere)) throw error;
      if (forwarding === null) throw new ApiError("account_busy", { retryAfterSeconds: 1 });
      forwarding.forward(request, reply, error.shard);
    }
  };
}

/** Requires that the account named in a staff request lives in this shard. */
async function requireNamedHere({ pool }: Context, { url }: FastifyRequest): Promise<void> {
  const named = idIn(url);
  if (named !== null) requireHere(await findMovedTo(pool, named as AccountId));
}

function requireHere(movedTo: number | null | undefined): void {
  if (movedTo !== null && movedTo !== undefined) throw new LivesElsewhere(movedTo);
}
