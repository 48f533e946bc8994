import { mediaUrl } from "../../src/media/storage/media-url.ts";
import { models } from "../../src/models/catalogue.ts";
import { table } from "../authorisation/table.ts";
import { type FileInput as InputPlace, inputsAt } from "../boundaries/boundary.ts";
import type { Call } from "./call.ts";
import type { Family } from "./kinds.ts";

/** A place in the API that takes an id. */
export interface Place {
  /** The endpoint as the table of authorisation names it. */
  endpoint: string;
  name: string;
  takes: readonly Family[];
  /**
   * The response to another account: `denied` where the interface distinguishes a foreign id from a missing
   * one, which it does for tasks; everywhere else the same as for an id that does not exist.
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

function creates(name: string, path: string): Place[] {
  return inputPlaces.map((place) => ({
    endpoint: `POST /api/v1/${path}`,
    name: `${name} ${place.model} ${place.mode} ${place.input}`,
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

function followed(name: string, path: string, family: Family): Place[] {
  const read = get(path, "taskId");
  return Object.entries(later).map(([way, headers]) => ({
    endpoint: `GET /api/v1/${path}`,
    name: `${name} ${way}`,
    takes: [family],
    stranger: "denied",
    call: (id: string) => ({ ...read(id), headers }),
  }));
}

const endpointPath = "/api/v1/webhooks/endpoints";
const endpointPlace = { takes: ["endpoint"], stranger: "missing" } as const;
const ofEndpoint: Place[] = [
  {
    endpoint: "PATCH /api/v1/webhooks/endpoints",
    name: "changeEndpoint",
    ...endpointPlace,
    call: (id) => ({ method: "PATCH", url: `${endpointPath}?endpointId=${id}`, body: {} }),
  },
  {
    endpoint: "DELETE /api/v1/webhooks/endpoints",
    name: "deleteEndpoint",
    ...endpointPlace,
    call: (id) => ({ method: "DELETE", url: `${endpointPath}?endpointId=${id}` }),
  },
  {
    endpoint: "GET /api/v1/webhooks/endpoints/secret",
    name: "readEndpointSecret",
    ...endpointPlace,
    call: get("webhooks/endpoints/secret", "endpointId"),
  },
  {
    endpoint: "POST /api/v1/webhooks/endpoints/secret/rotate",
    name: "rotateEndpointSecret",
    ...endpointPlace,
    call: (id) => ({
      method: "POST",
      url: `${endpointPath}/secret/rotate?endpointId=${id}`,
      body: {},
    }),
  },
  {
    endpoint: "POST /api/v1/webhooks/test",
    name: "sendTestEvent endpoint",
    ...endpointPlace,
    call: (endpointId) => ({
      method: "POST",
      url: "/api/v1/webhooks/test",
      body: { endpointId },
    }),
  },
  {
    endpoint: "GET /api/v1/webhooks/deliveries",
    name: "listDeliveries endpoint",
    ...endpointPlace,
    call: get("webhooks/deliveries", "endpointId"),
  },
  {
    endpoint: "POST /api/v1/webhooks/again",
    name: "deliverAgain endpoint",
    ...endpointPlace,
    call: (endpointId) => {
      const range = { from: "2026-01-01T00:00:00Z", to: "2090-01-01T00:00:00Z" };
      return { method: "POST", url: "/api/v1/webhooks/again", body: { ...range, endpointId } };
    },
  },
];

const tool = (name: string, given: object): Call => ({
  method: "POST",
  url: "/mcp",
  headers: { accept: "application/json, text/event-stream" },
  body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } },
});
const ofTools: Place[] = [
  {
    endpoint: "POST /mcp",
    name: "callMcp get_task",
    takes: ["task", "upscale"],
    stranger: "missing",
    call: (taskId) => tool("get_task", { taskId }),
  },
  {
    endpoint: "POST /mcp",
    name: "callMcp upscale",
    takes: ["task"],
    stranger: "missing",
    call: (taskId) => tool("upscale", { taskId, targetResolution: "4k", maxCredits: 1 }),
  },
  {
    endpoint: "POST /mcp",
    name: "callMcp list_assets",
    takes: ["asset number"],
    stranger: "missing",
    call: (id) => tool("list_assets", { assetId: Number(id) }),
  },
];

/** The rows of the table that keys can call, with the ids that they name. */
const rows = Object.entries(table).flatMap(([endpoint, policy]) => {
  if (policy.for === "keys") return [{ endpoint, ids: [], stranger: null, changes: false }];
  if (policy.for !== "account" || policy.scope === null) return [];
  const ids = Object.entries(policy.ids).map(([name, of]) => ({ name, families: [of].flat() }));
  return [{ endpoint, ids, stranger: policy.stranger, changes: policy.changes }];
});

/** The places of the rows that name an id: in the query, or in the body of a POST. */
const tablePlaces = rows.flatMap(({ endpoint, ids, stranger, changes }): Place[] =>
  ids.map(({ name, families }) => {
    const [method, url] = endpoint.split(" ") as [Call["method"], string];
    return {
      endpoint,
      name: `${endpoint} ${name}`,
      takes: families,
      stranger: stranger === "access_denied" ? "denied" : "missing",
      ...(changes ? {} : { isRead: true as const }),
      call: (id) =>
        method === "POST"
          ? { method, url, body: { [name]: id } }
          : { method, url: `${url}?${name}=${id}` },
    };
  }),
);

/** Every place of the API that takes an id: those that the table names, and those that are less regular. */
export const places = (publicUrl: string): readonly Place[] => [
  ...tablePlaces,
  ...followed("queryTask", "jobs/queryTask", "task"),
  ...followed("queryUpscale", "upscale/query", "upscale"),
  {
    endpoint: "POST /api/v1/jobs/query",
    name: "queryTasks",
    takes: ["task", "upscale"],
    stranger: "missing",
    isRead: true,
    repeatsId: true,
    call: (id) => ({ method: "POST", url: "/api/v1/jobs/query", body: { taskIds: [id] } }),
  },
  ...(["create", "quote"] as const).map(
    (act): Place => ({
      endpoint: `POST /api/v1/upscale/${act}`,
      name: `${act}Upscale`,
      takes: ["stored copy"],
      stranger: "missing",
      call: (key) => {
        const source = { type: "uploadId", storageUrl: mediaUrl(publicUrl, key) };
        const body = { source, targetResolution: "4k" };
        return { method: "POST", url: `/api/v1/upscale/${act}`, body };
      },
    }),
  ),
  {
    endpoint: "GET /api/v1/assets/declaration",
    name: "readDeclaration",
    takes: ["asset number", "asset name"],
    stranger: "missing",
    call: get("assets/declaration", "assetId"),
  },
  {
    endpoint: "POST /api/v1/assets/upload",
    name: "uploadAsset with a form",
    takes: ["upload"],
    stranger: "missing",
    call: (formUploadId) => {
      const declaration = { people: "Ada", purpose: "a video", formUploadId };
      const body = { url: "https://example.com/a.png", type: "IMAGE", declaration };
      return { method: "POST", url: "/api/v1/assets/upload", body };
    },
  },
  {
    endpoint: "GET /api/v1/jobs/list",
    name: "listTasks key",
    takes: ["key"],
    stranger: "missing",
    call: get("jobs/list", "keyId"),
  },
  {
    endpoint: "GET /api/v1/webhooks/deliveries",
    name: "listDeliveries",
    takes: ["task", "upscale"],
    stranger: "missing",
    call: get("webhooks/deliveries", "taskId"),
  },
  {
    endpoint: "PATCH /api/v1/account/keys",
    name: "changeKey",
    takes: ["key"],
    stranger: "missing",
    call: (id) => ({ method: "PATCH", url: `/api/v1/account/keys?keyId=${id}`, body: {} }),
  },
  {
    endpoint: "DELETE /api/v1/account/keys",
    name: "revokeKey",
    takes: ["key"],
    stranger: "missing",
    call: (id) => ({ method: "DELETE", url: `/api/v1/account/keys?keyId=${id}` }),
  },
  ...ofEndpoint,
  ...ofTools,
  ...creates("createTask", "jobs/createTask"),
  ...creates("quoteTask", "jobs/quote"),
];

/** The addresses of the reads that take no id: what they show is the caller's own, or everybody's. */
export function readsWithoutIds(all: readonly Place[]): string[] {
  const withIds = new Set(all.map(({ endpoint }) => endpoint));
  return rows
    .map(({ endpoint }) => endpoint)
    .filter((endpoint) => endpoint.startsWith("GET ") && !withIds.has(endpoint))
    .map((endpoint) => endpoint.slice("GET ".length));
}
