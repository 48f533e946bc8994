import type { FastifyContextConfig, FastifyInstance, FastifyRequest, RouteOptions } from "fastify";
import type { Caller } from "../accounts/queries.ts";
import type { MemberRole, StaffRole } from "../actor.ts";
import { namedScope, type Scope } from "../db/tables/accounts.ts";
import { ApiError } from "../errors.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** What a key needs for this route; `read` is enough for a GET. */
    scope?: Exclude<Scope, "read">;
    /** Reads or changes a secret: `read` is not enough, nor is the role `viewer`. */
    isSecret?: boolean;
    /** The least role of a person; without it `viewer` for a GET that is not secret, `developer` for the rest. */
    role?: MemberRole;
    /** Not for customers: people with one of these roles in the deployment. */
    staff?: readonly StaffRole[];
  }
}

/** The scopes of which a key needs one. */
export function scopesOf(
  method: string,
  { scope, isSecret = false }: FastifyContextConfig,
): Scope[] {
  if (scope === undefined) return [];
  const isRead = method === "GET" || method === "HEAD";
  return isRead && !isSecret ? [scope, "read"] : [scope];
}

/** Every route says who may call it: with one that does not, the server refuses to start. */
export function requireScopes(app: FastifyInstance): void {
  const routes: RouteOptions[] = [];
  app.addHook("onRoute", (route) => {
    routes.push(route);
  });
  // Not before: a plugin may still make its routes public.
  app.addHook("onReady", async () => {
    for (const { method, url, config } of routes)
      if (!config?.isPublic && config?.scope === undefined && config?.staff === undefined)
        throw new Error(`${method} ${url} names neither a scope nor staff nor isPublic`);
  });
}

export function checkScope(caller: Caller, { method, routeOptions }: FastifyRequest): void {
  const needed = scopesOf(method, routeOptions.config);
  if (caller.scopes === null && needed.some((scope) => scope !== namedScope)) return;
  if (needed.some((scope) => caller.scopes?.includes(scope))) return;
  const names = needed.map((scope) => `'${scope}'`).join(" or ");
  throw new ApiError("scope_missing", {
    message: `This request requires the scope ${names}, which this API key does not have. Use another key.`,
  });
}
