import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { ApiError } from "../../errors.ts";
import { refusals } from "../../http/error-answers.ts";
import type { PeopleContext } from "../context.ts";
import { oidcCookie } from "../cookies.ts";
import { beginVisit } from "../oidc/begin-visit.ts";
import { linkBody, visitAnswer } from "../oidc/schema.ts";
import { optionsAnswer } from "../passkeys/schema.ts";
import { beginPasskeyUse } from "../passkeys/use-passkey.ts";
import { nothing } from "../schema.ts";
import { needsSecondFactor } from "../second-factor.ts";
import { listProofs } from "./list-proofs.ts";
import { prove } from "./prove.ts";
import { proofBody, proofsAnswer } from "./schema.ts";

const path = "/api/v1/session/proof";
const config = { person: "signed-in" } as const;
const tags = ["people"];

/** The routes by which people prove again who they are, within a session. */
export function proofRoutes(ctx: PeopleContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      path,
      {
        config,
        schema: {
          operationId: "listProofs",
          summary:
            "List the ways to prove who you are, for requests that are refused with `proof_required`",
          description:
            "The ways of this person, which are those of a sign-in, and whether a proof is needed now.",
          tags,
          response: { 200: proofsAnswer, ...refusals(401, 403, 429, 500) },
        },
      },
      async ({ session }) => ({
        isFresh: session.isFresh,
        ways: await listProofs(ctx, session),
      }),
    );

    app.post(
      path,
      {
        config,
        schema: {
          operationId: "prove",
          summary: "Prove who you are, by password, code or passkey; good for 10 minutes",
          description:
            "Takes a `password`, a `code`, or the `credential` of a passkey. With an authenticator app the password alone is not enough.",
          tags,
          body: proofBody,
          response: { 200: nothing, ...refusals(400, 401, 403, 409, 413, 415, 429, 500) },
        },
      },
      async ({ session, body, facts }) => {
        await prove(ctx, session, body, facts);
        return {};
      },
    );

    app.post(
      `${path}/passkey/options`,
      {
        config,
        schema: {
          operationId: "beginPasskeyProof",
          summary: "Begin a proof by passkey",
          description:
            "Returns what `navigator.credentials.get` takes; send the `credential` to POST /api/v1/session/proof within 5 minutes.",
          tags,
          response: { 200: optionsAnswer, ...refusals(400, 401, 403, 413, 415, 429, 500) },
        },
      },
      ({ session }) => beginPasskeyUse(ctx, session.personId),
    );

    app.post(
      `${path}/oidc`,
      {
        config,
        schema: {
          operationId: "beginOidcProof",
          summary: "Begin a proof at the company's provider, which asks for its own sign-in again",
          description:
            "Returns the address to send the browser to. The browser comes back to `returnTo`, and the proof is then noted in the session.",
          tags,
          body: linkBody,
          response: { 200: visitAnswer, ...refusals(400, 401, 403, 404, 413, 415, 429, 500) },
        },
      },
      async ({ session, body }, reply) => {
        if (await needsSecondFactor(ctx.db, session.personId))
          throw new ApiError("second_factor_required");
        const visit = { ...body, sessionId: session.id, proves: true };
        const { url, verifier } = await beginVisit(ctx, visit);
        reply.header("set-cookie", oidcCookie(verifier));
        return { url };
      },
    );
  };
}
