import type { FastifyInstance } from "fastify";
import { keyRoutes, ownKeyRoutes } from "../accounts/keys/routes.ts";
import { accountRoutes } from "../accounts/routes.ts";
import { adminRoutes } from "../admin/routes.ts";
import { reviewRoutes } from "../assets/review/routes.ts";
import { assetRoutes, uploadRoutes } from "../assets/routes.ts";
import { usageRoutes } from "../credits/routes.ts";
import { generationRoutes, modelRoutes, vendorCallbackRoutes } from "../generation/routes.ts";
import { historyRoutes } from "../history/routes.ts";
import { accountAgreementRoutes } from "../labels/agreements/routes.ts";
import { eventRoutes } from "../live/account/routes.ts";
import type { Live } from "../live/routes.ts";
import { mcpRoutes } from "../mcp/routes.ts";
import { notifyKeyMade } from "../people/me/queue-notice.ts";
import { upscaleRoutes } from "../upscale/routes.ts";
import { verifyRoutes } from "../verify/routes.ts";
import { endpointRoutes, endpointSecretRoutes } from "../webhooks/endpoints/routes.ts";
import { secretRoutes, webhookRoutes } from "../webhooks/routes.ts";
import type { ApiContext } from "./context.ts";
import { chunkRoutes, mediaRoutes } from "./media-routes.ts";
import { registerPeople } from "./register-people.ts";
import { serveBanner } from "./serve-banner.ts";
import { serveConsole } from "./serve-console.ts";
import { serveDocuments } from "./serve-documents.ts";
import { servePackages } from "./serve-packages.ts";

/** Every route of the API, domain by domain. */
export async function registerRoutes(
  app: FastifyInstance,
  ctx: ApiContext,
  live: Live,
): Promise<void> {
  await app.register(generationRoutes(ctx, live));
  await app.register(historyRoutes(ctx));
  await app.register(modelRoutes(ctx));
  await app.register(vendorCallbackRoutes(ctx));
  await app.register(upscaleRoutes(ctx, live));
  await app.register(assetRoutes(ctx));
  await app.register(uploadRoutes(ctx));
  await app.register(reviewRoutes(ctx));
  await app.register(accountRoutes(ctx));
  await app.register(accountAgreementRoutes(ctx));
  await app.register(usageRoutes(ctx));
  await app.register(keyRoutes(ctx, notifyKeyMade(ctx)));
  await app.register(ownKeyRoutes(ctx));
  await registerPeople(app, ctx);
  await app.register(webhookRoutes(ctx));
  await app.register(eventRoutes(ctx, live));
  await app.register(secretRoutes(ctx));
  await app.register(endpointRoutes(ctx));
  await app.register(endpointSecretRoutes(ctx));
  await app.register(verifyRoutes(ctx));
  await app.register(mediaRoutes(ctx));
  await app.register(chunkRoutes(ctx));
  await app.register(adminRoutes(ctx));
  await app.register(mcpRoutes(ctx));
  serveBanner(app, ctx);
  serveDocuments(app, ctx);
  servePackages(app, ctx);
  serveConsole(app, ctx);
}
