import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { StaffRole } from "../../actor.ts";
import type { Context } from "../../context.ts";
import { ApiError } from "../../errors.ts";
import { refusals } from "../../http/error-answers.ts";
import { type AccountId, type LinkId, type PersonId, parseId } from "../../ids.ts";
import { inviteMember } from "../members/invite-member.ts";
import {
  invitationQuery,
  invitedAnswer,
  inviteStaffBody,
  inviteToBody,
  nothing,
  personQuery,
  staffAnswer,
  staffBody,
} from "../schema.ts";
import { changeStaff, inviteStaff, removeStaff, revokeStaffInvitation } from "./change-staff.ts";
import { listStaff, listStaffInvitations } from "./queries.ts";

const tags = ["staff"];
const config = { staff: ["operator"] } as const;

const requirePerson = (text: string): PersonId => {
  const personId = parseId<PersonId>(text);
  if (personId === undefined) throw new ApiError("person_not_found");
  return personId;
};

async function readStaff({ db }: Context) {
  const staff = await listStaff(db);
  const invitations = await listStaffInvitations(db);
  return {
    staff: staff.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })),
    invitations: invitations.map((row) => ({
      ...row,
      role: row.role as StaffRole, // an invitation to the staff has one of these
      createdAt: row.createdAt.toISOString(),
      expiresAt: row.expiresAt.toISOString(),
    })),
  };
}

/** The people who run the deployment, and invitations by them. */
export function staffRoutes(ctx: Context): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/admin/v1/staff",
      {
        config,
        schema: {
          operationId: "listStaff",
          summary: "List the staff of the deployment, and open invitations",
          tags,
          response: { 200: staffAnswer, ...refusals(401, 403, 429, 500) },
        },
      },
      () => readStaff(ctx),
    );

    app.patch(
      "/api/admin/v1/staff",
      {
        config,
        schema: {
          operationId: "changeStaff",
          summary: "Change somebody's role in the deployment; the last operator stays one",
          tags,
          body: staffBody,
          response: { 200: nothing, ...refusals(400, 401, 403, 404, 409, 413, 415, 429, 500) },
        },
      },
      async (request) => {
        const personId = requirePerson(request.body.personId);
        await changeStaff(ctx, request.actor, personId, request.body.role);
        return {};
      },
    );

    app.delete(
      "/api/admin/v1/staff",
      {
        config,
        schema: {
          operationId: "removeStaff",
          summary: "Remove somebody from the staff; the last operator stays",
          tags,
          querystring: personQuery,
          response: { 200: nothing, ...refusals(400, 401, 403, 404, 409, 429, 500) },
        },
      },
      async (request) => {
        await removeStaff(ctx, request.actor, requirePerson(request.query.personId));
        return {};
      },
    );
  };
}

export function staffInvitationRoutes(ctx: Context): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      "/api/admin/v1/staff/invitations",
      {
        config,
        schema: {
          operationId: "inviteStaff",
          summary: "Invite somebody to the staff by mail",
          tags,
          body: inviteStaffBody,
          response: { 200: invitedAnswer, ...refusals(400, 401, 403, 409, 413, 415, 429, 500) },
        },
      },
      (request) => inviteStaff(ctx, request.actor, request.body),
    );

    app.delete(
      "/api/admin/v1/staff/invitations",
      {
        config,
        schema: {
          operationId: "revokeStaffInvitation",
          summary: "Revoke an open invitation to the staff",
          tags,
          querystring: invitationQuery,
          response: { 200: nothing, ...refusals(400, 401, 403, 404, 429, 500) },
        },
      },
      async (request) => {
        const invitationId = parseId<LinkId>(request.query.invitationId);
        if (invitationId === undefined) throw new ApiError("invitation_not_found");
        await revokeStaffInvitation(ctx, request.actor, invitationId);
        return {};
      },
    );

    app.post(
      "/api/admin/v1/accounts/invitations",
      {
        config,
        schema: {
          operationId: "inviteToAccount",
          summary: "Invite somebody to an account by mail, such as its first owner",
          tags,
          body: inviteToBody,
          response: {
            200: invitedAnswer,
            ...refusals(400, 401, 403, 404, 409, 413, 415, 429, 500),
          },
        },
      },
      async (request) => {
        const { email, role } = request.body;
        const accountId = parseId<AccountId>(request.body.accountId);
        if (accountId === undefined)
          throw new ApiError("person_not_found", { message: "There is no such account." });
        return inviteMember(ctx, request.actor, { accountId, email, role });
      },
    );
  };
}
