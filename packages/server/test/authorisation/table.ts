import { type Policy, policies } from "./policies.ts";

const { asks, everyone, people, reads, readsSecret, signedLink, writes } = policies;

/**
 * Who may call what: a row for each endpoint of the server. After the scope: the ids that a request
 * names, and what a key of another account is answered to them.
 */
export const table: Readonly<Record<string, Policy>> = {
  "POST /api/v1/jobs/createTask": writes("tasks"),
  "POST /api/v1/jobs/quote": asks("tasks"),
  "GET /api/v1/jobs/queryTask": reads("tasks", { taskId: "task" }, "access_denied"),
  "DELETE /api/v1/jobs/media": writes("tasks", { taskId: "task" }, "access_denied"),
  "GET /api/v1/models": reads("tasks"),

  "POST /api/v1/upscale/create": writes("tasks"),
  "GET /api/v1/upscale/query": reads("tasks", { taskId: "upscale" }, "access_denied"),

  "POST /api/v1/assets/upload": writes("assets"),
  "GET /api/v1/assets/status": reads("assets", { assetId: "asset number" }, "asset_not_found"),
  "GET /api/v1/assets/list": reads("assets"),
  "DELETE /api/v1/assets": writes("assets", { assetId: "asset number" }, "asset_not_found"),
  "POST /api/v1/assets/uploads": writes("assets"),
  "GET /api/v1/assets/uploads": reads("assets", { uploadId: "upload" }, "upload_not_found"),
  "POST /api/v1/assets/uploads/complete": writes(
    "assets",
    { uploadId: "upload" },
    "upload_not_found",
  ),

  "GET /api/v1/account/credits": reads("account"),
  "GET /api/v1/account/ledger": reads("account"),

  "GET /api/v1/webhooks/deliveries": reads("webhooks"),
  "GET /api/v1/webhooks/delivery": reads(
    "webhooks",
    { deliveryId: "delivery" },
    "delivery_not_found",
  ),
  "POST /api/v1/webhooks/again": writes(
    "webhooks",
    { deliveryId: "delivery" },
    "delivery_not_found",
  ),
  "POST /api/v1/webhooks/test": writes("webhooks"),
  "GET /api/v1/webhooks/secret": readsSecret("webhooks"),
  "POST /api/v1/webhooks/secret/rotate": writes("webhooks"),
  "GET /api/v1/events": reads("webhooks"),

  "POST /api/v1/session": everyone,
  "DELETE /api/v1/session": people,
  "GET /api/v1/me": people,

  "GET /api/v1/banner": everyone,

  "GET /media/:key": signedLink,
  "GET /media/assets/:address": signedLink,
  "PUT /media/uploads/:key": signedLink,
  "POST /vendors/:vendorAccount/:taskId/:token": everyone,

  "GET /health": everyone,
  "GET /health/live": everyone,
  "GET /health/ready": everyone,
  "GET /openapi.json": everyone,
  "GET /reference": everyone,
  "GET /reference/": everyone,
  "GET /reference/start.js": everyone,
  "GET /reference/swagger-ui-bundle.js": everyone,
  "GET /reference/swagger-ui.css": everyone,
  "GET /reference/favicon-32x32.png": everyone,
};
