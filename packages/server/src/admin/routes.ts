import type { FastifyPluginAsync } from "fastify";
import { staffAccountRoutes } from "./accounts/routes.ts";
import { staffAuditRoutes } from "./audit/routes.ts";
import type { AdminContext } from "./context.ts";
import { costBookRoutes } from "./cost-books/routes.ts";
import { failingHostRoutes } from "./deliveries/routes.ts";
import { grantLimitRoutes } from "./grant-limit/routes.ts";
import { grantRoutes } from "./grants/routes.ts";
import { staffKeyRoutes } from "./keys/routes.ts";
import { labelAgreementRoutes } from "./label-agreements/routes.ts";
import { ledgerRoutes } from "./ledger/routes.ts";
import { priceRoutes } from "./prices/routes.ts";
import { stuckRoutes } from "./stuck/routes.ts";
import { switchRoutes } from "./switches/routes.ts";
import { systemRoutes } from "./system/routes.ts";
import { staffTaskRoutes } from "./tasks/routes.ts";
import { vendorRoutes } from "./vendors/routes.ts";

/** The operator API. `support` reads all of it but the cost books, and changes nothing; `reviewer` sees none of it. */
export function adminRoutes(ctx: AdminContext): FastifyPluginAsync {
  return async (app) => {
    await app.register(staffAccountRoutes(ctx));
    await app.register(staffKeyRoutes(ctx));
    await app.register(labelAgreementRoutes(ctx));
    await app.register(grantRoutes(ctx));
    await app.register(grantLimitRoutes(ctx));
    await app.register(staffAuditRoutes(ctx));
    await app.register(staffTaskRoutes(ctx));
    await app.register(vendorRoutes(ctx));
    await app.register(costBookRoutes(ctx));
    await app.register(stuckRoutes(ctx));
    await app.register(failingHostRoutes(ctx));
    await app.register(ledgerRoutes(ctx));
    await app.register(systemRoutes(ctx));
    await app.register(switchRoutes(ctx));
    await app.register(priceRoutes(ctx));
  };
}
