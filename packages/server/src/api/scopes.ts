import type { FastifyContextConfig, FastifyInstance, FastifyRequest, RouteOptions } from "fastify";
import type { Caller } from "../accounts/queries.ts";
import { type MemberRole, memberRoles, type StaffRole } from "../actor.ts";
import { namedScope, type Scope } from "../db/tables/accounts.ts";
import { ApiError } from "../errors.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** What a key needs for this route; `read` is enough for a GET. Without a scope it is not for keys. */
    scope?: Exclude<Scope, "read">;
    /** Reads or changes a secret: `read` is not enough, nor is the role `viewer`. */
    isSecret?: boolean;
    /** Changes nothing although it is a POST: open to the scope `read`, viewers and suspended accounts. */
    isRead?: boolean;
    /** The least role of a person; without it `viewer` for a read that is not secret, `developer` for the rest. */
    role?: MemberRole;
    /** For every key, whatever its scopes, and for nobody else. */
    anyKey?: true;
    /** Not for customers: people with one of these roles in the deployment. */
    staff?: readonly StaffRole[];
    /** For any signed-in person, without an account; `pending`: also while a second factor is missing. */
    person?: "signed-in" | "pending";
  }
}

/** The scopes of which a key needs one. */
export function scopesOf(
  method: string,
  { scope, isSecret = false, isRead = false }: FastifyContextConfig,
): Scope[] {
  if (scope === undefined) return [];
  return (isRead || isReading(method)) && !isSecret ? [scope, "read"] : [scope];
}

function isReading(method: string): boolean {
  return method === "GET" || method === "HEAD";
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
      if (!config?.isPublic && !says(config))
        throw new Error(
          `${method} ${url} names neither a scope, anyKey, role, staff, person nor isPublic`,
        );
  });
}

function says(config: FastifyContextConfig = {}): boolean {
  const { scope, anyKey, role, staff, person } = config;
  return (scope ?? anyKey ?? role ?? staff ?? person) !== undefined;
}

/** The least role of a person in the account. */
export function roleOf(
  method: string,
  { role, isSecret = false, isRead = false }: FastifyContextConfig,
): MemberRole {
  return role ?? ((isRead || isReading(method)) && !isSecret ? "viewer" : "developer");
}

export function checkRole(given: MemberRole, { method, routeOptions }: FastifyRequest): void {
  const needed = roleOf(method, routeOptions.config);
  if (memberRoles.indexOf(given) <= memberRoles.indexOf(needed)) return;
  throw new ApiError("role_missing", {
    message: `This request requires the role '${needed}', and yours is '${given}'. Ask an owner of the account.`,
  });
}

export function checkStaff(given: StaffRole | null, { routeOptions }: FastifyRequest): void {
  const { staff = [] } = routeOptions.config;
  if (given !== null && staff.includes(given)) return;
  const names = staff.map((role) => `'${role}'`).join(" or ");
  throw new ApiError("role_missing", {
    message: `This request requires the role ${names} in this deployment.`,
  });
}

export function checkScope(caller: Caller, { method, routeOptions }: FastifyRequest): void {
  if (routeOptions.config.anyKey) return;
  if (routeOptions.config.scope === undefined) throw new ApiError("person_required");
  const needed = scopesOf(method, routeOptions.config);
  if (caller.scopes === null && needed.some((scope) => scope !== namedScope)) return;
  if (needed.some((scope) => caller.scopes?.includes(scope))) return;
  const names = needed.map((scope) => `'${scope}'`).join(" or ");
  throw new ApiError("scope_missing", {
    message: `This request requires the scope ${names}, which this API key does not have. Use another key.`,
  });
}

/** A suspended account can be read; whatever would change something is refused. */
export function checkSuspended(caller: Caller, { method, routeOptions }: FastifyRequest): void {
  const isRead = method === "GET" || method === "HEAD" || routeOptions.config.isRead === true;
  if (caller.isSuspended && !isRead) throw new ApiError("account_suspended");
}
