import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { FastifyContextConfig, FastifyInstance, RouteOptions } from "fastify";
import { buildApi } from "../../src/api/build-api.ts";
import { roleOf } from "../../src/api/scopes.ts";

export interface Route {
  /** The name of its row, such as `GET /api/v1/models`. */
  name: string;
  method: string;
  url: string;
  config: FastifyContextConfig;
}

const channel = "fastify.initialization";

/** Builds the server and lists every route that it registers, public and undocumented ones too. */
export async function buildWithRoutes(
  ...given: Parameters<typeof buildApi>
): Promise<{ api: Awaited<ReturnType<typeof buildApi>>; routes: Route[] }> {
  const found: RouteOptions[] = [];
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook("onRoute", (route) => {
      found.push(route);
    });
  };
  subscribe(channel, listen);
  const api = await buildApi(...given).finally(() => unsubscribe(channel, listen));
  await api.ready();
  return { api, routes: found.flatMap(routesOf) };
}

/** HEAD comes with every GET, and the framework treats both alike. */
function routesOf({ method, url, config = {} }: RouteOptions): Route[] {
  return [method]
    .flat()
    .filter((one) => one !== "HEAD")
    .map((one) => ({ name: `${one} ${url}`, method: one, url, config }));
}

/** The row that says what the route says. Whether that is right is for the reader to decide. */
export function suggestRow({ name, method, config }: Route): string {
  return `${JSON.stringify(name)}: ${policyText(method, config)},`;
}

function policyText(method: string, config: FastifyContextConfig): string {
  const { isPublic, staff, person, scope = null } = config;
  if (isPublic) return "everyone";
  if (config.anyKey) return "anyKey";
  if (person !== undefined) return "people";
  if (staff !== undefined)
    return `staff(${[config.service ?? null, ...staff].map((word) => JSON.stringify(word)).join(", ")})`;
  const least = roleOf(method, config);
  const isRead = method === "GET";
  const verbs = {
    viewer: isRead || config.isRead ? "reads" : "anyMember",
    developer: isRead ? "readsSecret" : "writes",
    owner: isRead ? "ownersRead" : "ownersWrite",
  };
  return `${verbs[least]}(${JSON.stringify(scope)})`;
}
