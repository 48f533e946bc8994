import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { takeAllowance } from "../../accounts/allowances.ts";
import { findLiveAccount } from "../../accounts/queries.ts";
import type { DirectoryContext } from "../../context.ts";
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
/** The config of routes that let people in or give them rights, which outlast the session. */
const proven = { ...owner, needsProof: true } as const;
const viewer = { role: "viewer" } as const;
/** The maximum number of invitations by one account per minute. */
const perMinuteMax = 10;

const requirePerson = (text: string): PersonId => {
  const personId = parseId<PersonId>(text);
  if (personId === undefined) throw new ApiError("person_not_found");
  return personId;
};

/** The people of an account; a test account has those of its live account. */
export function memberRoutes(ctx: DirectoryContext): FastifyPluginAsyncZod {
  const live = (accountId: AccountId) => findLiveAccount(ctx.db, accountId);
  return async (app) => {
    app.get(
      "/api/v1/account/members",
      {
        config: viewer,
        schema: {
          operationId: "listMembers",
          summary: "List the people of the account",
          description:
            "Everybody with a role in the account. A test account has the people of its live account.",
          tags,
          response: { 200: membersAnswer, ...refusals(400, 401, 403, 429, 500) },
        },
      },
      async (request) => readMembers(ctx, await live(request.caller.id)),
    );

    app.patch(
      "/api/v1/account/members",
      {
        config: proven,
        schema: {
          operationId: "changeMember",
          summary: "Change a person's role; the last owner stays one",
          description: "For owners of the account.",
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
          description:
            "For owners of the account. Revoke the keys that the person knows. The last owner cannot be removed.",
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
          description: "The person of the session has no role in the account from then on.",
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

export function invitationRoutes(ctx: DirectoryContext): FastifyPluginAsyncZod {
  const live = (accountId: AccountId) => findLiveAccount(ctx.db, accountId);
  return async (app) => {
    app.get(
      "/api/v1/account/invitations",
      {
        config: owner,
        schema: {
          operationId: "listInvitations",
          summary: "List the open invitations of the account",
          description: "For owners of the account. Each says whether its mail was sent.",
          tags,
          response: { 200: invitationsAnswer, ...refusals(400, 401, 403, 429, 500) },
        },
      },
      async (request) => readInvitations(ctx, await live(request.caller.id)),
    );

    app.post(
      "/api/v1/account/invitations",
      {
        config: proven,
        schema: {
          operationId: "inviteMember",
          summary: "Invite somebody to the account by mail; replaces an earlier invitation",
          description: "For owners of the account. The link in the mail works once, within 7 days.",
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
          description: "For owners of the account. Its link no longer works.",
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
