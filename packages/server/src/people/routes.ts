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
  resetAnswer,
  resetBody,
  resetRequestBody,
  signInAnswer,
  signInBody,
  tokenBody,
} from "./schema.ts";
import { signIn } from "./sign-in.ts";
import { signOut } from "./sign-out.ts";
import type { Way } from "./ways-to-sign-in.ts";

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
          description:
            "Sets the cookie of a session. With `second_factor_required` the session is valid only for POST /api/v1/session/factor, for 10 minutes.",
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
          description: "Ends the session of this request and removes its cookie.",
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

const viewWay = ({ kind, name, createdAt }: Way) => ({
  kind,
  name,
  createdAt: createdAt.toISOString(),
});

const config = { isPublic: true };
const refused = refusals(400, 403, 409, 413, 415, 429, 500);

const checkOrigin = (ctx: PeopleContext) => async (request: FastifyRequest) =>
  requireOwnOrigin(request, ctx.config.links.publicUrl);

/** The routes for links from mails, which need no session. */
export function passwordRoutes(ctx: PeopleContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook("preHandler", checkOrigin(ctx));

    app.post(
      "/api/v1/password/request",
      {
        config,
        schema: {
          operationId: "requestPasswordReset",
          summary: "Have a link mailed that sets a new password; the response is always the same",
          description:
            "The response does not reveal whether the address is known. The link works once, within an hour.",
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
          summary:
            "Set a new password by a mailed link; ends all sessions, and ways to sign in that were added in the last 30 days",
          description:
            "Takes the token of the link. The response lists the ways to sign in that were removed, because somebody else may have added them, and those that are left.",
          tags: ["people"],
          body: resetBody,
          response: { 200: resetAnswer, ...refused },
        },
      },
      async (request, reply) => {
        const done = await resetPassword(ctx, request.body, request.facts);
        reply.header("set-cookie", deviceCookie(done.deviceToken, deviceSecondsMax));
        return { removed: done.removed.map(viewWay), kept: done.kept.map(viewWay) };
      },
    );

    app.post(
      "/api/v1/email/confirm",
      {
        config: { person: "signed-in" },
        schema: {
          operationId: "confirmEmail",
          summary: "Confirm a new e-mail address by a mailed link, signed in as who asked for it",
          description:
            "Takes the token of the link that was mailed to the new address. It works only in a session of the person who asked for the change.",
          tags: ["people"],
          body: tokenBody,
          response: { 200: nothing, ...refusals(400, 401, 403, 409, 413, 415, 429, 500) },
        },
      },
      async (request) => {
        await confirmEmail(ctx, request.session, request.body.token, request.facts);
        return {};
      },
    );
  };
}

/** The routes of invitations for people who open the link. */
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
          description:
            "Says who is invited to what, and whether accepting it needs a name and a password.",
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
          description:
            "Somebody who is new chooses a name and a password and is signed in. Somebody who is known here sends the token alone, gets the role and signs in as usual.",
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
