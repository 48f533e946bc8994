import type { FastifyReply } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { refusals } from "../http/error-answers.ts";
import { requireOwnOrigin } from "../http/own-origin.ts";
import type { BegunSession } from "./begin-session.ts";
import type { PeopleContext } from "./context.ts";
import { deviceCookie, endedSessionCookie, sessionCookie } from "./cookies.ts";
import { deviceSecondsMax } from "./device.ts";
import { createGuessLimit } from "./limit-guesses.ts";
import { readMe } from "./read-me.ts";
import { me, signInAnswer, signInBody } from "./schema.ts";
import { signIn } from "./sign-in.ts";
import { signOut } from "./sign-out.ts";

/** Puts the session into the browser's cookies and says what it is good for. */
export function answerSession(
  reply: FastifyReply,
  session: BegunSession & { deviceToken: string },
): z.infer<typeof signInAnswer> {
  reply.header("set-cookie", [
    sessionCookie(session.token, session.secondsMax),
    deviceCookie(session.deviceToken, deviceSecondsMax),
  ]);
  return { status: session.awaitsFactor ? "second_factor_required" : "signed_in" };
}

export function sessionRoutes(ctx: PeopleContext): FastifyPluginAsyncZod {
  const guesses = createGuessLimit();
  return async (app) => {
    app.post(
      "/api/v1/session",
      {
        config: { isPublic: true },
        schema: {
          operationId: "signIn",
          summary: "Sign in by e-mail and password",
          tags: ["people"],
          body: signInBody,
          response: { 200: signInAnswer, ...refusals(400, 401, 403, 429, 500) },
        },
      },
      async (request, reply) => {
        requireOwnOrigin(request, ctx.config.links.publicUrl);
        return answerSession(reply, await signIn(ctx, guesses, request.body, request.facts));
      },
    );

    app.delete(
      "/api/v1/session",
      {
        config: { person: "pending" },
        schema: {
          operationId: "signOut",
          summary: "Sign out",
          tags: ["people"],
          response: { 204: z.null(), ...refusals(401, 403, 429, 500) },
        },
      },
      async (request, reply) => {
        await signOut(ctx, request.session, request.facts);
        reply.header("set-cookie", endedSessionCookie());
        return reply.code(204).send(null);
      },
    );

    app.get(
      "/api/v1/me",
      {
        config: { person: "signed-in" },
        schema: {
          operationId: "readMe",
          summary: "Read the signed-in person, with accounts and roles",
          tags: ["people"],
          response: { 200: me, ...refusals(401, 403, 429, 500) },
        },
      },
      (request) => readMe(ctx, request.session),
    );
  };
}
