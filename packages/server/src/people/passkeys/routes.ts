import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { ApiError } from "../../errors.ts";
import { refusals } from "../../http/error-answers.ts";
import { requireOwnOrigin } from "../../http/own-origin.ts";
import type { PeopleContext } from "../context.ts";
import { createNetworkLimit } from "../limit-guesses.ts";
import { findPerson } from "../queries.ts";
import { personActor } from "../request-facts.ts";
import { answerSession } from "../routes.ts";
import { nothing, signInAnswer } from "../schema.ts";
import { requireMayEnrol } from "../second-factor.ts";
import { listPasskeys } from "./queries.ts";
import { addPasskey, beginPasskey, passkeysMax } from "./register-passkey.ts";
import { removePasskey } from "./remove-passkey.ts";
import {
  assertionBody,
  optionsAnswer,
  passkeyAnswer,
  passkeyQuery,
  passkeysAnswer,
  registrationBody,
} from "./schema.ts";
import { signInWithPasskey } from "./sign-in-with-passkey.ts";
import { beginPasskeyUse } from "./use-passkey.ts";

/** The limits of one network in ten minutes: sign-ins that begin, and passkeys that are refused. */
const limits = { beginsMax: 300, refusedMax: 30 };

/** An authenticator's own id of a credential can have a kilobyte, and comes twice. */
const assertionBytesMax = 16 * 1024;

/** Sign-in by passkey. */
export function passkeyRoutes(ctx: PeopleContext): FastifyPluginAsyncZod {
  const begins = createNetworkLimit(limits.beginsMax);
  const guesses = createNetworkLimit(limits.refusedMax);
  return async (app) => {
    app.post(
      "/api/v1/session/passkey/options",
      {
        config: { isPublic: true },
        schema: {
          operationId: "beginPasskeySignIn",
          summary: "Begin a sign-in by passkey",
          description:
            "Returns what `navigator.credentials.get` takes, valid once within 5 minutes.",
          tags: ["people"],
          response: { 200: optionsAnswer, ...refusals(400, 403, 413, 415, 429, 500) },
        },
      },
      async (request) => {
        requireOwnOrigin(request, ctx.config.links.publicUrl);
        begins.take(request.facts.network);
        return beginPasskeyUse(ctx, null);
      },
    );

    app.post(
      "/api/v1/session/passkey",
      {
        bodyLimit: assertionBytesMax,
        config: { isPublic: true },
        schema: {
          operationId: "signInWithPasskey",
          summary: "Sign in by passkey",
          description:
            "Takes what `navigator.credentials.get` returned for the options, and sets the cookie of a session. A passkey stands for the second factor too.",
          tags: ["people"],
          body: assertionBody,
          response: { 200: signInAnswer, ...refusals(400, 401, 403, 413, 415, 429, 500) },
        },
      },
      async (request, reply) => {
        requireOwnOrigin(request, ctx.config.links.publicUrl);
        const giveBack = guesses.take(request.facts.network);
        const session = await signInWithPasskey(ctx, request.body, request.facts);
        giveBack();
        return answerSession(reply, session);
      },
    );
    await app.register(ownPasskeyRoutes(ctx));
  };
}

/** The passkeys of a person. */
function ownPasskeyRoutes(ctx: PeopleContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/v1/me/passkeys",
      {
        config: { person: "signed-in" },
        schema: {
          operationId: "listPasskeys",
          summary: "List your passkeys",
          description: "Each with its name, when it was registered and when it was last used.",
          tags: ["people"],
          response: { 200: passkeysAnswer, ...refusals(401, 403, 429, 500) },
        },
      },
      async ({ session }) => {
        const rows = await listPasskeys(ctx.db, session.personId, passkeysMax);
        return {
          passkeys: rows.map(({ id, name, createdAt, usedAt }) => ({
            passkeyId: id,
            name,
            createdAt: createdAt.toISOString(),
            usedAt: usedAt?.toISOString(),
          })),
        };
      },
    );

    app.post(
      "/api/v1/me/passkeys/options",
      {
        config: { person: "signed-in", needsProof: true },
        schema: {
          operationId: "beginPasskey",
          summary: "Begin the registration of a passkey",
          description: `Returns what \`navigator.credentials.create\` takes, valid once within 5 minutes.`,
          tags: ["people"],
          response: { 200: optionsAnswer, ...refusals(400, 401, 403, 409, 413, 415, 429, 500) },
        },
      },
      async ({ session, facts }) => {
        const { personId } = session;
        await requireMayEnrol(ctx, session);
        const person = await findPerson(ctx.db, personId);
        if (person === undefined) throw new ApiError("signed_out");
        return beginPasskey(ctx, personActor(personId, facts), person);
      },
    );

    app.post(
      "/api/v1/me/passkeys",
      {
        config: { person: "signed-in", needsProof: true },
        schema: {
          operationId: "addPasskey",
          summary: "Register a passkey",
          description: `Takes what \`navigator.credentials.create\` returned for the options. A person has at most 20 passkeys.`,
          tags: ["people"],
          body: registrationBody,
          response: { 200: passkeyAnswer, ...refusals(400, 401, 403, 409, 413, 415, 429, 500) },
        },
      },
      async ({ session, facts, body }) => {
        await requireMayEnrol(ctx, session);
        return addPasskey(ctx, session, personActor(session.personId, facts), body);
      },
    );

    app.delete(
      "/api/v1/me/passkeys",
      {
        config: { person: "signed-in", needsProof: true },
        schema: {
          operationId: "removePasskey",
          summary: "Remove a passkey",
          description: "The passkey no longer signs in. The last way to sign in cannot be removed.",
          tags: ["people"],
          querystring: passkeyQuery,
          response: { 200: nothing, ...refusals(400, 401, 403, 404, 409, 429, 500) },
        },
      },
      async ({ session, facts, query }) => {
        await removePasskey(ctx, personActor(session.personId, facts), query.passkeyId);
        return {};
      },
    );
  };
}
