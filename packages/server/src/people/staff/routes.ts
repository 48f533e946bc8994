import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { DirectoryContext } from "../../context.ts";
import { ApiError } from "../../errors.ts";
import { refusals, staffRefusals } from "../../http/error-answers.ts";
import { type AccountId, type LinkId, type PersonId, parseId, type StaffRole } from "../../ids.ts";
import { mailOf } from "../invitation-mail.ts";
import { linkUrl } from "../links.ts";
import { removeMember } from "../members/change-member.ts";
import { inviteByHand, inviteMember } from "../members/invite-member.ts";
import {
  approvedInvitationAnswer,
  approveInvitationBody,
  invitationQuery,
  invitedStaffAnswer,
  invitedToAnswer,
  inviteStaffBody,
  inviteToBody,
  memberParams,
  nothing,
  personQuery,
  removeAuthenticatorBody,
  signOutAnswer,
  signOutBody,
  staffAnswer,
  staffBody,
} from "../schema.ts";
import { signOutByHand } from "../sign-out-by-hand.ts";
import { removeTotpByHand } from "../totp/disable-totp.ts";
import {
  approveInvitation,
  changeStaff,
  inviteStaff,
  removeStaff,
  revokeStaffInvitation,
} from "./change-staff.ts";
import { listStaff, listStaffInvitations } from "./queries.ts";
import { requireSecondPerson } from "./require-second-person.ts";

const tags = ["staff"];
/** A service key reads the staff and changes nobody of it: whom it could make an operator could issue keys. */
const config = { staff: ["operator"] } as const;
const readers = { ...config, service: "people:read" } as const;
/** The config of routes that give somebody power over the deployment or an account. */
const proven = { ...config, needsProof: true } as const;

const requirePerson = (text: string): PersonId => {
  const personId = parseId<PersonId>(text);
  if (personId === undefined) throw new ApiError("person_not_found");
  return personId;
};

async function readStaff({ db, config: settings }: DirectoryContext) {
  const staff = await listStaff(db);
  const invitations = await listStaffInvitations(db);
  return {
    staff: staff.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })),
    invitations: invitations.map((row) => ({
      ...row,
      mail: mailOf(settings, row),
      role: row.role as StaffRole, // an invitation to the staff has one of these
      createdAt: row.createdAt.toISOString(),
      expiresAt: row.expiresAt.toISOString(),
    })),
  };
}

/** The people who run the deployment, and invitations by them. */
export function staffRoutes(ctx: DirectoryContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/admin/v1/staff",
      {
        config: readers,
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
        config: proven,
        schema: {
          operationId: "changeStaff",
          summary: "Change somebody's role in the deployment; the last operator stays one",
          tags,
          body: staffBody,
          response: { 200: nothing, ...staffRefusals(400, 404, 409, 413, 415) },
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
        config: proven,
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

/** People of customers, as operators help them. */
export function staffPeopleRoutes(ctx: DirectoryContext): FastifyPluginAsyncZod {
  const config = { ...proven, service: "people" } as const;
  return async (app) => {
    app.delete(
      "/api/admin/v1/accounts/:accountId/members/:personId",
      {
        config,
        schema: {
          operationId: "removeAccountMember",
          summary: "Remove a person from an account; the last owner stays",
          tags,
          params: memberParams,
          response: { 200: nothing, ...staffRefusals(404, 409) },
        },
      },
      async ({ actor, params }) => {
        const accountId = parseId<AccountId>(params.accountId);
        if (accountId === undefined) throw new ApiError("account_not_found");
        await removeMember(ctx, actor, { accountId, personId: requirePerson(params.personId) });
        return {};
      },
    );

    app.post(
      "/api/admin/v1/people/sign-out",
      {
        config,
        schema: {
          operationId: "signOutPerson",
          summary: "End all sessions of a person, and remove the ways to sign in if asked",
          tags,
          body: signOutBody,
          response: { 200: signOutAnswer, ...staffRefusals(400, 404, 413, 415) },
        },
      },
      async ({ actor, body }) => {
        const { ways, ...rest } = await signOutByHand(ctx.db, actor, body);
        return {
          ...rest,
          ways: ways.map(({ kind, name, createdAt }) => ({
            kind,
            name,
            createdAt: createdAt.toISOString(),
          })),
        };
      },
    );

    app.post(
      "/api/admin/v1/people/remove-authenticator",
      {
        config,
        schema: {
          operationId: "removeAuthenticator",
          summary: "Remove the authenticator app of a person who has lost it",
          tags,
          body: removeAuthenticatorBody,
          response: { 200: nothing, ...staffRefusals(400, 404, 409, 413, 415) },
        },
      },
      async ({ actor, body }) => {
        await removeTotpByHand(ctx.db, actor, body.email);
        return {};
      },
    );
  };
}

/** A mail proves whose the address is; a link that is copied does not. */
function requireNoMail({ config: { mail } }: DirectoryContext, asLink: boolean): void {
  if (asLink && mail.smtpUrl !== null) throw new ApiError("mail_is_set");
}

function urlOf({ config: { links } }: DirectoryContext, kind: "member" | "staff", token?: string) {
  return token === undefined ? {} : { url: linkUrl(links.publicUrl, kind, token) };
}

const noAccount = { en: "There is no such account.", zh: "没有此账户。" };

export function staffInvitationRoutes(ctx: DirectoryContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      "/api/admin/v1/staff/invitations",
      {
        config: proven,
        schema: {
          operationId: "inviteStaff",
          summary: "Invite somebody to the staff",
          tags,
          body: inviteStaffBody,
          response: {
            200: invitedStaffAnswer,
            ...staffRefusals(400, 409, 413, 415),
          },
        },
      },
      async ({ actor, body }) => {
        const { asLink, ...invitation } = body;
        requireNoMail(ctx, asLink);
        const { token, ...made } = await inviteStaff(ctx, actor, invitation, { asLink });
        return { ...made, ...urlOf(ctx, "staff", token) };
      },
    );

    app.post(
      "/api/admin/v1/staff/invitations/approve",
      {
        config: proven,
        schema: {
          operationId: "approveStaffInvitation",
          summary: "Approve the invitation of an operator by another operator",
          tags,
          body: approveInvitationBody,
          response: { 200: approvedInvitationAnswer, ...staffRefusals(400, 404, 409, 413, 415) },
        },
      },
      async ({ actor, body }) => {
        const invitationId = parseId<LinkId>(body.invitationId);
        if (invitationId === undefined) throw new ApiError("invitation_not_found");
        const { asLink } = body;
        requireNoMail(ctx, asLink);
        const approved = { id: invitationId, asLink };
        const { token } = await approveInvitation(ctx, actor, approved, async (tx, invitedBy) => {
          const asked = { kind: "person", name: invitedBy ?? "" } as const;
          await requireSecondPerson(tx, actor, asked, null);
        });
        return urlOf(ctx, "staff", token);
      },
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
        config: { ...proven, service: "people" },
        schema: {
          operationId: "inviteToAccount",
          summary: "Invite somebody to an account by mail, such as its first owner",
          tags,
          body: inviteToBody,
          response: {
            200: invitedToAnswer,
            ...staffRefusals(400, 404, 409, 413, 415),
          },
        },
      },
      async (request) => {
        const { email, role, asLink } = request.body;
        const accountId = parseId<AccountId>(request.body.accountId);
        if (accountId === undefined) throw new ApiError("person_not_found", { message: noAccount });
        const invitation = { accountId, email, role };
        if (!asLink) return inviteMember(ctx, request.actor, invitation);
        requireNoMail(ctx, asLink);
        const { invitationId, token } = await inviteByHand(ctx, request.actor, invitation);
        return { invitationId, mail: "link" as const, ...urlOf(ctx, "member", token) };
      },
    );
  };
}
