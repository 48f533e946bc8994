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

/** What a signed-in person reads and changes of itself. */
export function meRoutes(ctx: PeopleContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/v1/me",
      {
        config,
        schema: {
          operationId: "readMe",
          summary: "Read the signed-in person, with accounts and roles",
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
        config,
        schema: {
          operationId: "changePassword",
          summary: "Change the password; ends all other sessions",
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
        config,
        schema: {
          operationId: "requestEmailChange",
          summary:
            "Have a link mailed to a new e-mail address, which changes when the link is used",
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
          tags,
          response: { 200: endedAnswer, ...refusals(400, 401, 403, 413, 415, 429, 500) },
        },
      },
      (request) => endOtherSessions(ctx, request.session, request.facts),
    );
  };
}
