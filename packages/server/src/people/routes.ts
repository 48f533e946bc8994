import type { FastifyReply, FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { refusals } from "../http/error-answers.ts";
import { requireOwnOrigin } from "../http/own-origin.ts";
import type { BegunSession } from "./begin-session.ts";
import type { PeopleContext } from "./context.ts";
import { deviceCookie, endedSessionCookie, sessionCookie } from "./cookies.ts";
import { deviceSecondsMax } from "./device.ts";
import { confirmEmail } from "./me/change-email.ts";
import { requestReset, resetPassword } from "./me/change-password.ts";
import { acceptInvitation, readInvitation } from "./members/accept-invitation.ts";
import {
  acceptAnswer,
  acceptBody,
  invitationAnswer,
  nothing,
  resetBody,
  resetRequestBody,
  signInAnswer,
  signInBody,
  tokenBody,
} from "./schema.ts";
import { signIn } from "./sign-in.ts";
import { signOut } from "./sign-out.ts";

type NewSession = BegunSession & { deviceToken: string };

export function sessionCookiesOf({ token, secondsMax, deviceToken }: NewSession): string[] {
  return [sessionCookie(token, secondsMax), deviceCookie(deviceToken, deviceSecondsMax)];
}

/** Puts the session into the browser's cookies and says what it is good for. */
export function answerSession(
  reply: FastifyReply,
  session: NewSession,
): { status: "signed_in" | "second_factor_required" } {
  reply.header("set-cookie", sessionCookiesOf(session));
  return { status: session.awaitsFactor ? "second_factor_required" : "signed_in" };
}

/** Signing in and out. */
export function sessionRoutes(ctx: PeopleContext): FastifyPluginAsyncZod {
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
          response: { 200: signInAnswer, ...refusals(400, 401, 403, 413, 415, 429, 500) },
        },
      },
      async (request, reply) => {
        requireOwnOrigin(request, ctx.config.links.publicUrl);
        return answerSession(reply, await signIn(ctx, request.body, request.facts));
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
          response: { 200: nothing, ...refusals(401, 403, 429, 500) },
        },
      },
      async (request, reply) => {
        await signOut(ctx, request.session, request.facts);
        reply.header("set-cookie", endedSessionCookie());
        return {};
      },
    );
  };
}

const config = { isPublic: true };
const refused = refusals(400, 403, 409, 413, 415, 429, 500);

const checkOrigin = (ctx: PeopleContext) => async (request: FastifyRequest) =>
  requireOwnOrigin(request, ctx.config.links.publicUrl);

/** What somebody does by a link from a mail, without a session. */
export function passwordRoutes(ctx: PeopleContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook("preHandler", checkOrigin(ctx));

    app.post(
      "/api/v1/password/request",
      {
        config,
        schema: {
          operationId: "requestPasswordReset",
          summary: "Have a link mailed that sets a new password; the answer is always the same",
          tags: ["people"],
          body: resetRequestBody,
          response: { 200: nothing, ...refused },
        },
      },
      async (request) => {
        await requestReset(ctx, request.body.email, request.facts);
        return {};
      },
    );

    app.post(
      "/api/v1/password/reset",
      {
        config,
        schema: {
          operationId: "resetPassword",
          summary: "Set a new password by a mailed link; ends all sessions",
          tags: ["people"],
          body: resetBody,
          response: { 200: nothing, ...refused },
        },
      },
      async (request, reply) => {
        const { deviceToken } = await resetPassword(ctx, request.body, request.facts);
        reply.header("set-cookie", deviceCookie(deviceToken, deviceSecondsMax));
        return {};
      },
    );

    app.post(
      "/api/v1/email/confirm",
      {
        config,
        schema: {
          operationId: "confirmEmail",
          summary: "Confirm a new e-mail address by a mailed link",
          tags: ["people"],
          body: tokenBody,
          response: { 200: nothing, ...refused },
        },
      },
      async (request) => {
        await confirmEmail(ctx, request.body.token, request.facts);
        return {};
      },
    );
  };
}

/** Invitations, as whoever opens the link sees them. */
export function acceptRoutes(ctx: PeopleContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook("preHandler", checkOrigin(ctx));

    app.post(
      "/api/v1/invitation/read",
      {
        config,
        schema: {
          operationId: "readInvitation",
          summary: "Read an invitation by its link, without accepting it",
          tags: ["people"],
          body: tokenBody,
          response: { 200: invitationAnswer, ...refused },
        },
      },
      (request) => readInvitation(ctx, request.body.token),
    );

    app.post(
      "/api/v1/invitation/accept",
      {
        config,
        schema: {
          operationId: "acceptInvitation",
          summary: "Accept an invitation by its link, once",
          tags: ["people"],
          body: acceptBody,
          response: { 200: acceptAnswer, ...refused },
        },
      },
      async (request, reply) => {
        const session = await acceptInvitation(ctx, request.body, request.facts);
        if (session === null) return { status: "joined" as const };
        answerSession(reply, session);
        return { status: "signed_in" as const };
      },
    );
  };
}
