import type { FastifyReply, FastifyRequest } from "fastify";
import { shardOfKey } from "../accounts/api-key.ts";
import { LivesElsewhere } from "../accounts/lives-elsewhere.ts";
import { type Caller, findMovedTo } from "../accounts/queries.ts";
import type { Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import { ApiError } from "../errors.ts";
import { requireOwnOrigin } from "../http/own-origin.ts";
import type { AccountId } from "../ids.ts";
import { readCookie, sessionCookieName } from "../people/cookies.ts";
import { personActor, type RequestFacts } from "../people/request-facts.ts";
import type { Session } from "../people/session-queries.ts";
import type { Callers } from "./find-caller-once.ts";
import { findMember } from "./find-member.ts";
import { createFindSession } from "./find-session.ts";
import { createAddressLimit, createRateLimit } from "./limits/rate-limit.ts";
import type { KeyUses } from "./note-key-uses.ts";
import { factsOf } from "./request-facts.ts";
import { checkRole, checkScope, checkStaff, checkSuspended } from "./scopes.ts";
import { idIn, type Signposts } from "./spread-requests.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The account, of routes with a scope or role. */
    caller: Caller;
    /** Who calls: a key or a person. Not of public routes. */
    actor: Actor;
    /** Of requests with a session. */
    session: Session;
    facts: RequestFacts;
  }
  interface FastifyContextConfig {
    /** Reachable without a key. */
    isPublic?: boolean;
  }
}

/** Every route needs a key or a session unless it says otherwise: forgetting to protect one is not possible. */
export function authenticate(
  ctx: Context,
  callers: Callers,
  uses: KeyUses,
  signposts: Signposts | null,
) {
  const shards = ctx.config.database.shards.length;
  const limitRate = createRateLimit(ctx.config.api.requestsPerMinuteMax);
  const failures = createAddressLimit(
    ctx.config.api.failedAuthenticationsPerMinuteMax,
    "requests without a valid API key or session",
  );
  const findSession = createFindSession(ctx, failures);

  async function identifyKey(request: FastifyRequest, keyText: string): Promise<Caller> {
    const [scheme, key = ""] = keyText.split(" ");
    if (scheme?.toLowerCase() !== "bearer" || shardOfKey(key, shards) === null) {
      failures.charge(request);
      throw new ApiError("unauthorized");
    }
    const caller = await callers.find(key, {
      charge: () => failures.charge(request),
      refund: () => failures.refund(request),
    });
    if (caller === undefined) throw new ApiError("unauthorized");
    requireHere(caller.movedTo);
    return caller;
  }

  async function admitKey(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const caller = await identifyKey(request, request.headers.authorization ?? "");
    const { id: accountId, keyId, requestsPerMinuteMax } = caller;
    if (keyId === null) throw new ApiError("unauthorized");
    request.caller = caller;
    uses.note(keyId);
    const { address, requestId } = request.facts;
    request.actor = { kind: "key", keyId, accountId, address, requestId };
    limitRate({ kind: "key", id: keyId, requestsPerMinuteMax }, reply);
    checkScope(caller, request);
    checkSuspended(caller, request);
  }

  async function admitPerson(request: FastifyRequest, reply: FastifyReply, token: string) {
    const { config } = request.routeOptions;
    requireOwnOrigin(request, ctx.config.links.publicUrl);
    const session = await findSession(request, token);
    if (session.awaitsFactor && config.person !== "pending") throw new ApiError("signed_out");
    request.session = session;
    request.actor = personActor(session.personId, request.facts);
    limitRate({ kind: "person", id: session.personId, requestsPerMinuteMax: null }, reply);
    if (config.person !== undefined) return;
    if (config.staff !== undefined) {
      checkStaff(session.staffRole, request);
      if (signposts !== null) await requireNamedHere(ctx, request);
      return;
    }
    const caller = await findMember(ctx, session, request.headers["zoetrope-account"]);
    request.caller = caller;
    checkRole(caller.session.role, request);
    checkSuspended(caller, request);
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
    if (authorization === undefined && config.scope === undefined) {
      failures.charge(request);
      throw new ApiError("signed_out");
    }
    return admitKey(request, reply);
  }

  return orElsewhere(admit, signposts);
}

type Admit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

function orElsewhere(admit: Admit, signposts: Signposts | null): Admit {
  return async (request, reply) => {
    try {
      await admit(request, reply);
    } catch (error) {
      if (!(error instanceof LivesElsewhere)) throw error;
      if (signposts === null) throw new ApiError("account_busy", { retryAfterSeconds: 1 });
      signposts.goOn(request, reply, error.shard);
    }
  };
}

/** What the staff asks of an account is answered where it lives. */
async function requireNamedHere({ pool }: Context, { url }: FastifyRequest): Promise<void> {
  const named = idIn(url);
  if (named !== null) requireHere(await findMovedTo(pool, named as AccountId));
}

function requireHere(movedTo: number | null | undefined): void {
  if (movedTo !== null && movedTo !== undefined) throw new LivesElsewhere(movedTo);
}
