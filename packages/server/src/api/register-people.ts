import type { FastifyInstance } from "fastify";
import { meRoutes, mySessionRoutes } from "../people/me/routes.ts";
import { invitationRoutes, memberRoutes } from "../people/members/routes.ts";
import { oidcRoutes } from "../people/oidc/routes.ts";
import { passkeyRoutes } from "../people/passkeys/routes.ts";
import { proofRoutes } from "../people/proof/routes.ts";
import { acceptRoutes, passwordRoutes, sessionRoutes } from "../people/routes.ts";
import { staffInvitationRoutes, staffPeopleRoutes, staffRoutes } from "../people/staff/routes.ts";
import { serviceKeyRoutes } from "../people/staff/service-keys/routes.ts";
import { totpRoutes } from "../people/totp/routes.ts";
import { configOfShard } from "../settings/config.ts";
import type { ApiContext } from "./context.ts";

/**
 * Everything that people do: sign in, their sessions, members of accounts, and the staff. All of it is in
 * the directory, whichever shard the api serves. There an account has its members, its invitations and its
 * allowance of invitations, under the lock of its forwarding row, and the audit of their changes, which
 * commits with them. The account's audit is read from both databases.
 */
export async function registerPeople(app: FastifyInstance, ctx: ApiContext): Promise<void> {
  const directory = { ...ctx, ...ctx.directory, config: configOfShard(ctx.config, 0) };
  for (const routes of [
    sessionRoutes,
    totpRoutes,
    passkeyRoutes,
    proofRoutes,
    oidcRoutes,
    passwordRoutes,
    acceptRoutes,
    meRoutes,
    mySessionRoutes,
    memberRoutes,
    invitationRoutes,
    staffRoutes,
    staffInvitationRoutes,
    serviceKeyRoutes,
    staffPeopleRoutes,
  ])
    await app.register(routes(directory));
}
