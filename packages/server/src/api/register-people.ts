import type { FastifyInstance } from "fastify";
import { configOfShard } from "../config.ts";
import { meRoutes, mySessionRoutes } from "../people/me/routes.ts";
import { invitationRoutes, memberRoutes } from "../people/members/routes.ts";
import { oidcRoutes } from "../people/oidc/routes.ts";
import { passkeyRoutes } from "../people/passkeys/routes.ts";
import { acceptRoutes, passwordRoutes, sessionRoutes } from "../people/routes.ts";
import { staffInvitationRoutes, staffRoutes } from "../people/staff/routes.ts";
import { totpRoutes } from "../people/totp/routes.ts";
import type { ApiContext } from "./context.ts";

/**
 * Everything that people do: sign in, their sessions, members of accounts, and the staff. All of it is at
 * home, whatever shard the api serves: what an account has there is its members, invitations and
 * allowance of invitations, under the lock of its signpost, and the audit of their changes, which commits
 * with them. The account's audit is read from both databases.
 */
export async function registerPeople(app: FastifyInstance, ctx: ApiContext): Promise<void> {
  const home = { ...ctx, ...ctx.home, config: configOfShard(ctx.config, 0) };
  for (const routes of [
    sessionRoutes,
    totpRoutes,
    passkeyRoutes,
    oidcRoutes,
    passwordRoutes,
    acceptRoutes,
    meRoutes,
    mySessionRoutes,
    memberRoutes,
    invitationRoutes,
    staffRoutes,
    staffInvitationRoutes,
  ])
    await app.register(routes(home));
}
