import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { ApiError } from "../../errors.ts";
import { refusals } from "../../http/error-answers.ts";
import type { PeopleContext } from "../context.ts";
import { findPerson } from "../queries.ts";
import { personActor } from "../request-facts.ts";
import { answerSession } from "../routes.ts";
import { nothing, signInAnswer } from "../schema.ts";
import { requireMayEnrol } from "../second-factor.ts";
import { disableTotp } from "./disable-totp.ts";
import { confirmTotp, enrolTotp, renewRecoveryCodes } from "./enrol-totp.ts";
import { passSecondFactor } from "./pass-second-factor.ts";
import { countRecoveryCodes, hasTotp } from "./queries.ts";
import { codeBody, enrolAnswer, recoveryCodesAnswer, totpAnswer } from "./schema.ts";

/** The second factor of a sign-in. */
export function totpRoutes(ctx: PeopleContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      "/api/v1/session/factor",
      {
        config: { person: "pending" },
        schema: {
          operationId: "passSecondFactor",
          summary: "Complete a sign-in with a code",
          description:
            "For a session that a sign-in has left at `second_factor_required`: a code of the authenticator app, or a recovery code, begins a full session. A code is accepted once.",
          tags: ["people"],
          body: codeBody,
          response: { 200: signInAnswer, ...refusals(400, 401, 403, 409, 413, 415, 429, 500) },
        },
      },
      async ({ session, body, facts }, reply) =>
        answerSession(reply, await passSecondFactor(ctx, session, body.code, facts)),
    );

    await app.register(appRoutes(ctx));
    await app.register(codeRoutes(ctx));
  };
}

/** Enrolling an authenticator app, and turning it off. */
function appRoutes(ctx: PeopleContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/v1/me/totp",
      {
        config: { person: "signed-in" },
        schema: {
          operationId: "readTotp",
          summary: "Read whether an authenticator app is enabled",
          description:
            "Whether a sign-in by password or company asks for a code, and how many recovery codes are left.",
          tags: ["people"],
          response: { 200: totpAnswer, ...refusals(401, 403, 429, 500) },
        },
      },
      async ({ session: { personId } }) => ({
        isEnabled: await hasTotp(ctx.db, personId),
        recoveryCodesLeft: await countRecoveryCodes(ctx.db, personId),
      }),
    );

    app.post(
      "/api/v1/me/totp",
      {
        config: { person: "signed-in", needsProof: true },
        schema: {
          operationId: "enrolTotp",
          summary: "Enrol an authenticator app",
          description:
            "Returns a secret for the app. It takes effect once a code of the app confirms it.",
          tags: ["people"],
          response: { 200: enrolAnswer, ...refusals(400, 401, 403, 409, 413, 415, 429, 500) },
        },
      },
      async ({ session, facts }) => {
        const { personId } = session;
        await requireMayEnrol(ctx, session);
        const person = await findPerson(ctx.db, personId);
        if (person === undefined) throw new ApiError("signed_out");
        return enrolTotp(ctx, personActor(personId, facts), person.email);
      },
    );

    app.post(
      "/api/v1/me/totp/disable",
      {
        config: { person: "signed-in", needsProof: true },
        schema: {
          operationId: "disableTotp",
          summary: "Disable the authenticator app",
          description: "A sign-in asks for no code from then on.",
          tags: ["people"],
          response: { 200: nothing, ...refusals(400, 401, 403, 409, 413, 415, 429, 500) },
        },
      },
      async ({ session, facts }) => {
        await disableTotp(ctx, session.personId, facts);
        return {};
      },
    );
  };
}

/** The routes that take a code of the authenticator app. */
function codeRoutes(ctx: PeopleContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      "/api/v1/me/totp/confirm",
      {
        config: { person: "signed-in", needsProof: true },
        schema: {
          operationId: "confirmTotp",
          summary: "Enable the authenticator app by a code of it",
          description:
            "From then on a sign-in by password or company asks for a code. The response has ten recovery codes, which are not shown again.",
          tags: ["people"],
          body: codeBody,
          response: {
            200: recoveryCodesAnswer,
            ...refusals(400, 401, 403, 409, 413, 415, 429, 500),
          },
        },
      },
      async ({ session, facts, body }) => {
        await requireMayEnrol(ctx, session);
        return confirmTotp(ctx, session, personActor(session.personId, facts), body.code);
      },
    );

    app.post(
      "/api/v1/me/totp/recovery-codes",
      {
        config: { person: "signed-in", needsProof: true },
        schema: {
          operationId: "renewRecoveryCodes",
          summary: "Replace the recovery codes",
          description: "Returns ten new codes; the previous ones no longer work.",
          tags: ["people"],
          response: {
            200: recoveryCodesAnswer,
            ...refusals(400, 401, 403, 409, 413, 415, 429, 500),
          },
        },
      },
      ({ session, facts }) => renewRecoveryCodes(ctx, personActor(session.personId, facts)),
    );
  };
}
