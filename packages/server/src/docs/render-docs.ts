import { buildApi } from "../api/build-api.ts";
import { readConfig } from "../config.ts";
import { openContext } from "../open-context.ts";
import { generatedNote } from "./markdown.ts";
import { renderErrors } from "./render-errors.ts";
import { renderParameters } from "./render-parameters.ts";
import { renderPrices } from "./render-prices.ts";

/** Every document that is made from the code, by its name in docs/generated/. */
export async function renderDocs(): Promise<Record<string, string>> {
  return {
    "openapi.json": `${JSON.stringify(await renderOpenapi(), null, 2)}\n`,
    "errors.md": generatedNote + renderErrors(),
    "parameters.md": generatedNote + renderParameters(),
    "prices.md": generatedNote + renderPrices(),
  };
}

/** Describing the routes needs no server behind them: these are never called. */
const nowhere = "http://127.0.0.1:9";

async function renderOpenapi(): Promise<object> {
  const config = readConfig({
    LOG_LEVEL: "silent",
    DATABASE_URL: "postgres://127.0.0.1:9/none",
    PUBLIC_URL: nowhere,
    RESTATE_INGRESS_URL: nowhere,
    STORAGE_DIR: "none",
    VENDORS: "[]",
    VENDOR_CALLBACK_SECRET: "x".repeat(32),
  });
  const ctx = openContext(config, "docs");
  const api = await buildApi(ctx);
  await api.ready();
  const document = api.swagger();
  await api.close();
  await ctx.close();
  return document;
}
