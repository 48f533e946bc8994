import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { ApiError } from "../../errors.ts";
import { refusals } from "../../http/error-answers.ts";
import { parseId, type SessionId } from "../../ids.ts";
import type { PeopleContext } from "../context.ts";
import {
  emailBody,
  endedAnswer,
  me,
  meBody,
  nothing,
  passwordBody,
  sessionQuery,
  sessionsAnswer,
} from "../schema.ts";
import { requestEmail } from "./change-email.ts";
import { changeMe } from "./change-me.ts";
import { changePassword } from "./change-password.ts";
import { endOtherSessions, endSession, readSessions } from "./end-sessions.ts";
import { readMe } from "./read-me.ts";

const config = { person: "signed-in" } as const;
const tags = ["people"];

/** The routes by which signed-in people read and change their own data. */
export function meRoutes(ctx: PeopleContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/v1/me",
      {
        config,
        schema: {
          operationId: "readMe",
          summary: "Read the signed-in person, with accounts and roles",
          description:
            "The person, with the ids of the accounts, one of which the header `Zoetrope-Account` of other requests names.",
          tags,
          response: { 200: me, ...refusals(401, 403, 429, 500) },
        },
      },
      (request) => readMe(ctx, request.session),
    );

    app.patch(
      "/api/v1/me",
      {
        config,
        schema: {
          operationId: "changeMe",
          summary: "Change name or language",
          description: "Changes what the body names.",
          tags,
          body: meBody,
          response: { 200: nothing, ...refusals(400, 401, 403, 413, 415, 429, 500) },
        },
      },
      async (request) => {
        await changeMe(ctx, request.session, request.body, request.facts);
        return {};
      },
    );

    app.post(
      "/api/v1/me/password",
      {
        config: { ...config, needsProof: true },
        schema: {
          operationId: "changePassword",
          summary: "Change the password; ends all other sessions",
          description: `A person who has a password sends it as \`currentPassword\`.`,
          tags,
          body: passwordBody,
          response: { 200: nothing, ...refusals(400, 401, 403, 413, 415, 429, 500) },
        },
      },
      async (request) => {
        await changePassword(ctx, request.session, request.body, request.facts);
        return {};
      },
    );

    app.post(
      "/api/v1/me/email",
      {
        config: { ...config, needsProof: true },
        schema: {
          operationId: "requestEmailChange",
          summary:
            "Have a link mailed to a new e-mail address, which changes when the link is used",
          description:
            "The address stays as it is until the link in the mail is used. A person who has a password sends it as well.",
          tags,
          body: emailBody,
          response: { 200: nothing, ...refusals(400, 401, 403, 413, 415, 429, 500) },
        },
      },
      async (request) => {
        await requestEmail(ctx, request.session, request.body, request.facts);
        return {};
      },
    );
  };
}

/** The sessions of the signed-in person. */
export function mySessionRoutes(ctx: PeopleContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/v1/me/sessions",
      {
        config,
        schema: {
          operationId: "listSessions",
          summary: "List own sessions, newest first",
          description:
            "Where this person is signed in: address, browser and last use, to the minute.",
          tags,
          response: { 200: sessionsAnswer, ...refusals(401, 403, 429, 500) },
        },
      },
      (request) => readSessions(ctx, request.session),
    );

    app.delete(
      "/api/v1/me/sessions",
      {
        config,
        schema: {
          operationId: "endSession",
          summary: "End one of the own sessions, at once",
          description:
            "It is refused from then on, in every process; its streams end within seconds.",
          tags,
          querystring: sessionQuery,
          response: { 200: nothing, ...refusals(400, 401, 403, 404, 429, 500) },
        },
      },
      async (request) => {
        const sessionId = parseId<SessionId>(request.query.sessionId);
        if (sessionId === undefined) throw new ApiError("session_not_found");
        await endSession(ctx, request.session, sessionId, request.facts);
        return {};
      },
    );

    app.post(
      "/api/v1/me/sessions/end-others",
      {
        config,
        schema: {
          operationId: "endOtherSessions",
          summary: "End all own sessions but this one",
          description: "Returns how many were ended. The session of this request continues.",
          tags,
          response: { 200: endedAnswer, ...refusals(400, 401, 403, 413, 415, 429, 500) },
        },
      },
      (request) => endOtherSessions(ctx, request.session, request.facts),
    );
  };
}
