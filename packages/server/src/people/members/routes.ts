import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { takeAllowance } from "../../accounts/allowances.ts";
import { findLiveAccount } from "../../accounts/queries.ts";
import type { Context } from "../../context.ts";
import { ApiError } from "../../errors.ts";
import { refusals } from "../../http/error-answers.ts";
import { type AccountId, type LinkId, type PersonId, parseId } from "../../ids.ts";
import {
  invitationQuery,
  invitationsAnswer,
  inviteBody,
  invitedAnswer,
  memberBody,
  membersAnswer,
  nothing,
  personQuery,
} from "../schema.ts";
import { changeRole, removeMember, revokeInvitation } from "./change-member.ts";
import { inviteMember } from "./invite-member.ts";
import { readInvitations, readMembers } from "./read-members.ts";

const tags = ["people"];
const owner = { role: "owner" } as const;
const viewer = { role: "viewer" } as const;
/** Of invitations by one account. */
const perMinuteMax = 10;

const requirePerson = (text: string): PersonId => {
  const personId = parseId<PersonId>(text);
  if (personId === undefined) throw new ApiError("person_not_found");
  return personId;
};

/** The people of an account; a test account has those of its live account. */
export function memberRoutes(ctx: Context): FastifyPluginAsyncZod {
  const live = (accountId: AccountId) => findLiveAccount(ctx.db, accountId);
  return async (app) => {
    app.get(
      "/api/v1/account/members",
      {
        config: viewer,
        schema: {
          operationId: "listMembers",
          summary: "List the people of the account",
          tags,
          response: { 200: membersAnswer, ...refusals(400, 401, 403, 429, 500) },
        },
      },
      async (request) => readMembers(ctx, await live(request.caller.id)),
    );

    app.patch(
      "/api/v1/account/members",
      {
        config: owner,
        schema: {
          operationId: "changeMember",
          summary: "Change a person's role; the last owner stays one",
          tags,
          body: memberBody,
          response: { 200: nothing, ...refusals(400, 401, 403, 404, 409, 413, 415, 429, 500) },
        },
      },
      async (request) => {
        const personId = requirePerson(request.body.personId);
        const accountId = await live(request.caller.id);
        const { role } = request.body;
        await changeRole(ctx, request.actor, { accountId, personId, role });
        return {};
      },
    );

    app.delete(
      "/api/v1/account/members",
      {
        config: owner,
        schema: {
          operationId: "removeMember",
          summary: "Remove a person from the account; API keys that it made stay",
          tags,
          querystring: personQuery,
          response: { 200: nothing, ...refusals(400, 401, 403, 404, 409, 429, 500) },
        },
      },
      async (request) => {
        const personId = requirePerson(request.query.personId);
        const accountId = await live(request.caller.id);
        await removeMember(ctx, request.actor, { accountId, personId });
        return {};
      },
    );

    app.post(
      "/api/v1/account/members/leave",
      {
        config: viewer,
        schema: {
          operationId: "leaveAccount",
          summary: "Leave the account; the last owner cannot",
          tags,
          response: { 200: nothing, ...refusals(400, 401, 403, 404, 409, 413, 415, 429, 500) },
        },
      },
      async (request) => {
        const accountId = await live(request.caller.id);
        const { personId } = request.session;
        await removeMember(ctx, request.actor, { accountId, personId });
        return {};
      },
    );
  };
}

export function invitationRoutes(ctx: Context): FastifyPluginAsyncZod {
  const live = (accountId: AccountId) => findLiveAccount(ctx.db, accountId);
  return async (app) => {
    app.get(
      "/api/v1/account/invitations",
      {
        config: owner,
        schema: {
          operationId: "listInvitations",
          summary: "List the open invitations of the account",
          tags,
          response: { 200: invitationsAnswer, ...refusals(400, 401, 403, 429, 500) },
        },
      },
      async (request) => readInvitations(ctx, await live(request.caller.id)),
    );

    app.post(
      "/api/v1/account/invitations",
      {
        config: owner,
        schema: {
          operationId: "inviteMember",
          summary: "Invite somebody to the account by mail; replaces an earlier invitation",
          tags,
          body: inviteBody,
          response: {
            200: invitedAnswer,
            ...refusals(400, 401, 403, 404, 409, 413, 415, 429, 500),
          },
        },
      },
      async (request) => {
        const accountId = await live(request.caller.id);
        const allowance = { accountId, kind: "invitation", perMinuteMax } as const;
        const { granted, retryAfterSeconds } = await takeAllowance(ctx.pool, allowance, 1);
        if (granted === 0) throw new ApiError("rate_limited", { retryAfterSeconds });
        return inviteMember(ctx, request.actor, { accountId, ...request.body });
      },
    );

    app.delete(
      "/api/v1/account/invitations",
      {
        config: owner,
        schema: {
          operationId: "revokeInvitation",
          summary: "Revoke an open invitation",
          tags,
          querystring: invitationQuery,
          response: { 200: nothing, ...refusals(400, 401, 403, 404, 429, 500) },
        },
      },
      async (request) => {
        const invitationId = parseId<LinkId>(request.query.invitationId);
        if (invitationId === undefined) throw new ApiError("invitation_not_found");
        const accountId = await live(request.caller.id);
        await revokeInvitation(ctx, request.actor, accountId, invitationId);
        return {};
      },
    );
  };
}
