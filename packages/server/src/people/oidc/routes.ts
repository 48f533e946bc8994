import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { refusals } from "../../http/error-answers.ts";
import { requireOwnOrigin } from "../../http/own-origin.ts";
import type { PeopleContext } from "../context.ts";
import { endedOidcCookie, oidcCookie, oidcCookieName, readCookie } from "../cookies.ts";
import { createNetworkLimit } from "../limit-guesses.ts";
import { personActor } from "../request-facts.ts";
import { sessionCookiesOf } from "../routes.ts";
import { nothing } from "../schema.ts";
import { beginVisit } from "./begin-visit.ts";
import { endVisit } from "./end-visit.ts";
import { listIdentities } from "./queries.ts";
import {
  beginOidcBody,
  identitiesAnswer,
  identityQuery,
  linkBody,
  methodsAnswer,
  visitAnswer,
} from "./schema.ts";
import { unlinkIdentity } from "./unlink-identity.ts";

/** The limits of one network in ten minutes: visits that begin, and returns that are refused. */
const limits = { beginsMax: 300, refusedMax: 30 };

/** Sign-in at a company's OpenID provider. */
export function oidcRoutes(ctx: PeopleContext): FastifyPluginAsyncZod {
  const begins = createNetworkLimit(limits.beginsMax);
  const guesses = createNetworkLimit(limits.refusedMax);
  return async (app) => {
    app.get(
      "/api/v1/session/methods",
      {
        config: { isPublic: true },
        schema: {
          operationId: "listSignInMethods",
          summary: "List the ways to sign in",
          description:
            "What this deployment offers. Company sign-in is null where the operator has set no provider.",
          tags: ["people"],
          response: { 200: methodsAnswer, ...refusals(400, 500) },
        },
      },
      () => ({
        password: true as const,
        passkey: true as const,
        oidc: ctx.oidc === null ? null : { name: ctx.oidc.name },
      }),
    );

    app.post(
      "/api/v1/session/oidc",
      {
        config: { isPublic: true },
        schema: {
          operationId: "beginOidcSignIn",
          summary: "Begin a sign-in at the company's provider",
          description:
            "Returns the address to send the browser to, within 10 minutes. The browser comes back to `returnTo` with a session. Somebody who is new here needs the token of an `invitation`.",
          tags: ["people"],
          body: beginOidcBody,
          response: { 200: visitAnswer, ...refusals(400, 401, 403, 404, 413, 415, 429, 500) },
        },
      },
      async (request, reply) => {
        requireOwnOrigin(request, ctx.config.links.publicUrl);
        begins.take(request.facts.network);
        const { url, verifier } = await beginVisit(ctx, request.body);
        reply.header("set-cookie", oidcCookie(verifier));
        return { url };
      },
    );

    app.get(
      "/api/v1/session/oidc/callback",
      {
        config: { isPublic: true },
        schema: {
          hide: true, // for the browser that comes back from the provider
          operationId: "endOidcSignIn",
          summary: "Return from the company's provider",
          description: "The provider sends the browser here. The response redirects to `returnTo`.",
          tags: ["people"],
          response: { 303: z.null(), ...refusals(400, 401, 403, 404, 409, 429, 500) },
        },
      },
      async (request, reply) => {
        const giveBack = guesses.take(request.facts.network);
        const query = new URL(request.url, ctx.config.links.publicUrl).searchParams;
        const verifier = readCookie(request.headers.cookie, oidcCookieName) ?? "";
        const { location, session } = await endVisit(ctx, { query, verifier }, request.facts);
        giveBack();
        const cookies = session === null ? [] : sessionCookiesOf(session);
        reply.header("set-cookie", [endedOidcCookie(), ...cookies]);
        reply.header("cache-control", "no-store");
        return reply.code(303).header("location", location).send(null);
      },
    );
    await app.register(identityRoutes(ctx));
  };
}

/** The company sign-ins of a person. */
function identityRoutes(ctx: PeopleContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/v1/me/identities",
      {
        config: { person: "signed-in" },
        schema: {
          operationId: "listIdentities",
          summary: "List your linked company sign-ins",
          description: "The subjects at the company's provider that sign in as this person.",
          tags: ["people"],
          response: { 200: identitiesAnswer, ...refusals(401, 403, 429, 500) },
        },
      },
      async ({ session }) => {
        const rows = await listIdentities(ctx.db, session.personId);
        return {
          identities: rows.map(({ id, issuer, email, createdAt, usedAt }) => ({
            identityId: id,
            issuer,
            createdAt: createdAt.toISOString(),
            email: email ?? undefined,
            usedAt: usedAt?.toISOString(),
          })),
        };
      },
    );

    app.post(
      "/api/v1/me/identities",
      {
        config: { person: "signed-in", needsProof: true },
        schema: {
          operationId: "linkIdentity",
          summary: "Begin to link a company sign-in",
          description:
            "Returns the address to send the browser to; the sign-in made there is linked to this person.",
          tags: ["people"],
          body: linkBody,
          response: { 200: visitAnswer, ...refusals(400, 401, 403, 404, 413, 415, 429, 500) },
        },
      },
      async ({ session, body }, reply) => {
        const { url, verifier } = await beginVisit(ctx, { ...body, sessionId: session.id });
        reply.header("set-cookie", oidcCookie(verifier));
        return { url };
      },
    );

    app.delete(
      "/api/v1/me/identities",
      {
        config: { person: "signed-in", needsProof: true },
        schema: {
          operationId: "unlinkIdentity",
          summary: "Unlink a company sign-in",
          description:
            "The company sign-in no longer signs in as this person. The last way to sign in cannot be removed.",
          tags: ["people"],
          querystring: identityQuery,
          response: { 200: nothing, ...refusals(400, 401, 403, 404, 409, 429, 500) },
        },
      },
      async ({ session, facts, query }) => {
        await unlinkIdentity(ctx, personActor(session.personId, facts), query.identityId);
        return {};
      },
    );
  };
}
