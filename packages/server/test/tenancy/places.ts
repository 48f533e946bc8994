import { mediaUrl } from "../../src/media/storage/media-url.ts";
import { models } from "../../src/models/catalogue.ts";
import { type Place as InputPlace, inputsAt } from "../boundaries/boundary.ts";
import type { Call } from "./call.ts";
import type { Family } from "./kinds.ts";

/** Where the API takes an id. */
export interface Place {
  /** As the OpenAPI document calls it. */
  operation: string;
  name: string;
  takes: readonly Family[];
  /**
   * What another account gets: `denied` where the interface distinguishes a foreign id from a missing one, which
   * it does of tasks; everywhere else the same as for an id that nobody has.
   */
  stranger: "denied" | "missing";
  /** Whether asking shows an owner what is his, and changes nothing. */
  isRead?: true;
  /** Whether it says which id it did not find. */
  repeatsId?: true;
  call(id: string): Call;
}

const get =
  (path: string, name: string) =>
  (id: string): Call => ({ method: "GET", url: `/api/v1/${path}?${name}=${id}` });

const inputs = ["urls", "videoUrls", "audioUrls"] as const;

/** A place in every list of files of every mode of every model. */
const inputPlaces = models.flatMap(({ name: model, modes }) =>
  modes.flatMap((mode) =>
    inputs
      .filter((input) => Object.hasOwn(mode.inputs.shape, input))
      .map((input): InputPlace => ({ model, mode: mode.name, input })),
  ),
);

function creates(operation: string, path: string): Place[] {
  return inputPlaces.map((place) => ({
    operation,
    name: `${operation} ${place.model} ${place.mode} ${place.input}`,
    takes: ["asset name"],
    stranger: "missing",
    call: (id) => {
      const { inputs } = inputsAt(place, `asset://${id}`, "https://example.com/good.png");
      return { method: "POST", url: `/api/v1/${path}`, body: { model: place.model, inputs } };
    },
  }));
}

/** The ways to wait for a task, besides querying it now. */
const later = { waiting: { prefer: "wait=1" }, streaming: { accept: "text/event-stream" } };

function followed(operation: string, path: string, family: Family): Place[] {
  const read = get(path, "taskId");
  const place = { operation, takes: [family], stranger: "denied" } as const;
  return [
    { ...place, name: operation, isRead: true, call: read },
    ...Object.entries(later).map(([way, headers]) => ({
      ...{ ...place, name: `${operation} ${way}` },
      call: (id: string) => ({ ...read(id), headers }),
    })),
  ];
}

const endpointPath = "/api/v1/webhooks/endpoints";
const endpointPlace = { takes: ["endpoint"], stranger: "missing" } as const;
const ofEndpoint: Place[] = [
  {
    ...{ operation: "changeEndpoint", name: "changeEndpoint", ...endpointPlace },
    call: (id) => ({ method: "PATCH", url: `${endpointPath}?endpointId=${id}`, body: {} }),
  },
  {
    ...{ operation: "deleteEndpoint", name: "deleteEndpoint", ...endpointPlace },
    call: (id) => ({ method: "DELETE", url: `${endpointPath}?endpointId=${id}` }),
  },
  {
    ...{ operation: "readEndpointSecret", name: "readEndpointSecret", ...endpointPlace },
    call: get("webhooks/endpoints/secret", "endpointId"),
  },
  {
    ...{ operation: "rotateEndpointSecret", name: "rotateEndpointSecret", ...endpointPlace },
    call: (id) => ({
      ...{ method: "POST", url: `${endpointPath}/secret/rotate?endpointId=${id}`, body: {} },
    }),
  },
  {
    ...{ operation: "sendTestEvent", name: "sendTestEvent endpoint", ...endpointPlace },
    call: (endpointId) => ({
      ...{ method: "POST", url: "/api/v1/webhooks/test", body: { endpointId } },
    }),
  },
  {
    ...{ operation: "listDeliveries", name: "listDeliveries endpoint", ...endpointPlace },
    call: get("webhooks/deliveries", "endpointId"),
  },
  {
    ...{ operation: "deliverAgain", name: "deliverAgain endpoint", ...endpointPlace },
    call: (endpointId) => {
      const range = { from: "2026-01-01T00:00:00Z", to: "2090-01-01T00:00:00Z" };
      return { method: "POST", url: "/api/v1/webhooks/again", body: { ...range, endpointId } };
    },
  },
];

const tool = (name: string, given: object): Call => ({
  ...{ method: "POST", url: "/mcp" },
  headers: { accept: "application/json, text/event-stream" },
  body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } },
});
const ofTools: Place[] = [
  {
    ...{ operation: "callMcp", name: "callMcp get_task", takes: ["task", "upscale"] },
    ...{ stranger: "missing", call: (taskId) => tool("get_task", { taskId }) },
  },
  {
    ...{ operation: "callMcp", name: "callMcp upscale", takes: ["task"], stranger: "missing" },
    call: (taskId) => tool("upscale", { taskId, targetResolution: "4k", maxCredits: 1 }),
  },
  {
    ...{ operation: "callMcp", name: "callMcp list_assets", takes: ["asset number"] },
    ...{ stranger: "missing", call: (id) => tool("list_assets", { assetId: Number(id) }) },
  },
];

/** Every place of the API that takes an id. */
export const places = (publicUrl: string): readonly Place[] => [
  ...followed("queryTask", "jobs/queryTask", "task"),
  ...followed("queryUpscale", "upscale/query", "upscale"),
  {
    ...{ operation: "deleteMedia", name: "deleteMedia", takes: ["task", "upscale"] },
    ...{ stranger: "denied" },
    call: (id) => ({ method: "DELETE", url: `/api/v1/jobs/media?taskId=${id}` }),
  },
  {
    ...{ operation: "readTimeline", name: "readTimeline", takes: ["task", "upscale"] },
    ...{ stranger: "denied", isRead: true, call: get("jobs/timeline", "taskId") },
  },
  {
    ...{ operation: "readRequest", name: "readRequest", takes: ["task", "upscale"] },
    ...{ stranger: "denied", isRead: true, call: get("jobs/request", "taskId") },
  },
  {
    ...{ operation: "queryTasks", name: "queryTasks", takes: ["task", "upscale"] },
    ...{ stranger: "missing", isRead: true, repeatsId: true },
    call: (id) => ({ method: "POST", url: "/api/v1/jobs/query", body: { taskIds: [id] } }),
  },
  {
    ...{ operation: "createUpscale", name: "createUpscale", takes: ["stored copy"] },
    ...{ stranger: "missing" },
    call: (key) => {
      const source = { type: "uploadId", storageUrl: mediaUrl(publicUrl, key) };
      const body = { source, targetResolution: "4k" };
      return { method: "POST", url: "/api/v1/upscale/create", body };
    },
  },
  {
    ...{ operation: "readAsset", name: "readAsset", takes: ["asset number", "asset name"] },
    ...{ stranger: "missing", isRead: true, call: get("assets/status", "assetId") },
  },
  {
    ...{ operation: "readDeclaration", name: "readDeclaration" },
    ...{ takes: ["asset number", "asset name"], stranger: "missing" },
    call: get("assets/declaration", "assetId"),
  },
  {
    ...{ operation: "deleteAsset", name: "deleteAsset", takes: ["asset number", "asset name"] },
    ...{ stranger: "missing" },
    call: (id) => ({ method: "DELETE", url: `/api/v1/assets?assetId=${id}` }),
  },
  {
    ...{ operation: "readUpload", name: "readUpload", takes: ["upload"] },
    ...{ stranger: "missing", isRead: true, call: get("assets/uploads", "uploadId") },
  },
  {
    ...{ operation: "completeUpload", name: "completeUpload", takes: ["upload"] },
    ...{ stranger: "missing" },
    call: (uploadId) => {
      const url = "/api/v1/assets/uploads/complete";
      return { method: "POST", url, body: { uploadId } };
    },
  },
  {
    ...{ operation: "uploadAsset", name: "uploadAsset with a form", takes: ["upload"] },
    ...{ stranger: "missing" },
    call: (formUploadId) => {
      const declaration = { people: "Ada", purpose: "a video", formUploadId };
      const body = { url: "https://example.com/a.png", type: "IMAGE", declaration };
      return { method: "POST", url: "/api/v1/assets/upload", body };
    },
  },
  {
    ...{ operation: "listDeliveries", name: "listDeliveries", takes: ["task", "upscale"] },
    ...{ stranger: "missing", call: get("webhooks/deliveries", "taskId") },
  },
  {
    ...{ operation: "readDelivery", name: "readDelivery", takes: ["delivery"] },
    ...{ stranger: "missing", isRead: true, call: get("webhooks/delivery", "deliveryId") },
  },
  {
    ...{ operation: "deliverAgain", name: "deliverAgain", takes: ["delivery"] },
    ...{ stranger: "missing" },
    call: (deliveryId) => {
      return { method: "POST", url: "/api/v1/webhooks/again", body: { deliveryId } };
    },
  },
  {
    ...{ operation: "changeKey", name: "changeKey", takes: ["key"], stranger: "missing" },
    call: (id) => ({ method: "PATCH", url: `/api/v1/account/keys?keyId=${id}`, body: {} }),
  },
  {
    ...{ operation: "revokeKey", name: "revokeKey", takes: ["key"], stranger: "missing" },
    call: (id) => ({ method: "DELETE", url: `/api/v1/account/keys?keyId=${id}` }),
  },
  ...ofEndpoint,
  ...ofTools,
  ...creates("createTask", "jobs/createTask"),
  ...creates("quoteTask", "jobs/quote"),
];

/** Operations that take no id: what they show is the caller's own, or everybody's. */
export const withoutIds: Readonly<Record<string, string | null>> = {
  listTasks: "/api/v1/jobs/list",
  listModels: "/api/v1/models",
  readCredits: "/api/v1/account/credits",
  readLedger: "/api/v1/account/ledger",
  readUsage: "/api/v1/account/usage",
  listKeys: "/api/v1/account/keys",
  readKey: "/api/v1/account/key",
  listAssets: "/api/v1/assets/list",
  readEvents: "/api/v1/events",
  listEndpoints: "/api/v1/webhooks/endpoints",
  readAlerts: "/api/v1/webhooks/alerts",
  readWebhookSecret: "/api/v1/webhooks/secret",
  listRequests: null, // it changes with every request; tried in its own tests
  uploadAsset: null, // these make something of the caller's own
  createUpload: null,
  createKey: null,
  createEndpoint: null,
  changeAlerts: null,
  rotateWebhookSecret: null,
};
