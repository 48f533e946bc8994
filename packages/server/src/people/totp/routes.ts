import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { ApiError } from "../../errors.ts";
import { refusals } from "../../http/error-answers.ts";
import type { PeopleContext } from "../context.ts";
import { findPerson } from "../queries.ts";
import { personActor } from "../request-facts.ts";
import { answerSession } from "../routes.ts";
import { nothing, signInAnswer } from "../schema.ts";
import { disableTotp } from "./disable-totp.ts";
import { confirmTotp, enrolTotp, renewRecoveryCodes } from "./enrol-totp.ts";
import { passSecondFactor } from "./pass-second-factor.ts";
import { countRecoveryCodes, hasTotp } from "./queries.ts";
import { codeBody, disableBody, enrolAnswer, recoveryCodesAnswer, totpAnswer } from "./schema.ts";

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
        config: { person: "signed-in" },
        schema: {
          operationId: "enrolTotp",
          summary: "Enrol an authenticator app",
          tags: ["people"],
          response: { 200: enrolAnswer, ...refusals(400, 401, 403, 409, 413, 415, 429, 500) },
        },
      },
      async ({ session: { personId }, facts }) => {
        const person = await findPerson(ctx.db, personId);
        if (person === undefined) throw new ApiError("signed_out");
        return enrolTotp(ctx, personActor(personId, facts), person.email);
      },
    );

    app.post(
      "/api/v1/me/totp/disable",
      {
        config: { person: "signed-in" },
        schema: {
          operationId: "disableTotp",
          summary: "Disable the authenticator app, by a code or the password",
          tags: ["people"],
          body: disableBody,
          response: { 200: nothing, ...refusals(400, 401, 403, 409, 413, 415, 429, 500) },
        },
      },
      async ({ session, facts, body }) => {
        const { code, password = "" } = body;
        const proof = code === undefined ? { password } : { code };
        await disableTotp(ctx, session.personId, proof, facts);
        return {};
      },
    );
  };
}

/** What a code of the authenticator app does. */
function codeRoutes(ctx: PeopleContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      "/api/v1/me/totp/confirm",
      {
        config: { person: "signed-in" },
        schema: {
          operationId: "confirmTotp",
          summary: "Enable the authenticator app by a code of it",
          tags: ["people"],
          body: codeBody,
          response: {
            200: recoveryCodesAnswer,
            ...refusals(400, 401, 403, 409, 413, 415, 429, 500),
          },
        },
      },
      ({ session, facts, body }) =>
        confirmTotp(ctx, personActor(session.personId, facts), body.code),
    );

    app.post(
      "/api/v1/me/totp/recovery-codes",
      {
        config: { person: "signed-in" },
        schema: {
          operationId: "renewRecoveryCodes",
          summary: "Replace the recovery codes",
          tags: ["people"],
          body: codeBody,
          response: {
            200: recoveryCodesAnswer,
            ...refusals(400, 401, 403, 409, 413, 415, 429, 500),
          },
        },
      },
      ({ session, facts, body }) =>
        renewRecoveryCodes(ctx, personActor(session.personId, facts), body.code),
    );
  };
}
