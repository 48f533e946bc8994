import { buildApi } from "../api/build-api.ts";
import { packageIds } from "../api/list-packages.ts";
import { renderLlmsText } from "../api/llms-text.ts";
import { models } from "../models/catalogue.ts";
import { openContext } from "../open-context.ts";
import { readFirstBooks } from "../prices/first-books.ts";
import { readConfig } from "../settings/config.ts";
import { settings } from "../settings/settings.ts";
import { readVersion } from "../settings/version.ts";
import { generatedNote } from "./markdown.ts";
import { renderConfiguration } from "./render-configuration.ts";
import { renderEndpoints } from "./render-endpoints.ts";
import { renderErrors } from "./render-errors.ts";
import { renderMedia } from "./render-media.ts";
import { renderMetrics } from "./render-metrics.ts";
import { renderParameters } from "./render-parameters.ts";
import { renderPrices } from "./render-prices.ts";

/** Every document that is made from the code, by its name in docs/. */
export async function renderDocs(): Promise<Record<string, string>> {
  const { customers, staff } = await renderOpenapi();
  return {
    "generated/openapi.json": `${JSON.stringify(customers, null, 2)}\n`,
    "generated/admin-openapi.json": `${JSON.stringify(staff, null, 2)}\n`,
    "generated/endpoints.md": generatedNote + renderEndpoints(customers),
    "generated/errors.md": generatedNote + renderErrors(),
    "generated/media.md": generatedNote + renderMedia(),
    "generated/metrics.md": generatedNote + renderMetrics(),
    "generated/parameters.md": generatedNote + renderParameters(models),
    "generated/prices.md": generatedNote + renderPrices(models, readFirstBooks()),
    "configuration.md": generatedNote + renderConfiguration(),
    "llms.txt": renderLlmsText("https://media.example.com", models, {
      version: readVersion(),
      served: packageIds,
    }),
  };
}

/** Describing the routes needs no server behind them: these are never called. */
const nowhere = "http://127.0.0.1:9";

async function renderOpenapi(): Promise<{ customers: object; staff: object }> {
  const { runtime, database, links, engine, storage, vendors } = settings;
  const config = readConfig({
    [runtime.logLevel.name]: "silent",
    [database.url.name]: "postgres://127.0.0.1:9/none",
    [links.publicUrl.name]: nowhere,
    [links.secret.name]: "x".repeat(32),
    [engine.ingressUrls.name]: nowhere,
    [storage.dir.name]: "none",
    [vendors.accounts.name]: "[]",
  });
  const ctx = openContext(config, "docs");
  const api = await buildApi(ctx);
  await api.ready();
  const documents = { customers: api.swagger(), staff: api.adminSwagger() };
  await api.close();
  await ctx.close();
  return documents;
}
