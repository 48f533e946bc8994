import type { FastifyInstance } from "fastify";
import { meRoutes, mySessionRoutes } from "../people/me/routes.ts";
import { invitationRoutes, memberRoutes } from "../people/members/routes.ts";
import { oidcRoutes } from "../people/oidc/routes.ts";
import { passkeyRoutes } from "../people/passkeys/routes.ts";
import { acceptRoutes, passwordRoutes, sessionRoutes } from "../people/routes.ts";
import { staffInvitationRoutes, staffRoutes } from "../people/staff/routes.ts";
import { totpRoutes } from "../people/totp/routes.ts";
import type { ApiContext } from "./context.ts";

/** Everything that people do: sign in, their sessions, members of accounts, and the staff. */
export async function registerPeople(app: FastifyInstance, ctx: ApiContext): Promise<void> {
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
    await app.register(routes(ctx));
}
