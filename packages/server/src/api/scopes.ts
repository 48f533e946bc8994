import type { FastifyContextConfig, FastifyInstance, FastifyRequest, RouteOptions } from "fastify";
import type { Caller } from "../accounts/queries.ts";
import { namedScope, type Scope } from "../db/tables/accounts.ts";
import type { ServiceScope } from "../db/tables/admin.ts";
import { ApiError } from "../errors.ts";
import { type MemberRole, memberRoles, type StaffRole } from "../ids.ts";
import { staffNeedsFactor } from "../people/second-factor.ts";
import type { Session } from "../people/session-queries.ts";
import type { ServiceCaller } from "../people/staff/service-keys/queries.ts";
import type { Config } from "../settings/config.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * The scope that a key needs for this route; `read` is enough for a GET. Without a scope, keys cannot
     * use it.
     */
    scope?: Exclude<Scope, "read">;
    /** Reads or changes a secret: `read` is not enough, nor is the role `viewer`. */
    isSecret?: boolean;
    /** Changes nothing although it is a POST: open to the scope `read`, viewers and suspended accounts. */
    isRead?: boolean;
    /** The least role of a person; without it `viewer` for a read that is not secret, `developer` for the rest. */
    role?: MemberRole;
    /** Whether every key may call it, whatever its scopes, and nobody else. */
    anyKey?: true;
    /** The staff roles that may call it. Customers may not. */
    staff?: readonly StaffRole[];
    /**
     * The scope that a service key needs for this staff route. Without a scope, service keys cannot use it;
     * `own`: every service key may, whatever its scopes.
     */
    service?: ServiceScope | "own";
    /** A person must have proved within ten minutes who it is. Keys need no proof. */
    needsProof?: true;
    /**
     * Whether any signed-in person may call it, without an account; `pending`: also while a second factor
     * is missing.
     */
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

export function checkRole(role: MemberRole, { method, routeOptions }: FastifyRequest): void {
  const needed = roleOf(method, routeOptions.config);
  if (memberRoles.indexOf(role) <= memberRoles.indexOf(needed)) return;
  throw new ApiError("role_missing", {
    message: {
      en: `This request requires the role '${needed}', and yours is '${role}'. Ask an owner of the account.`,
      zh: `此请求需要角色 '${needed}'，而您的角色是 '${role}'。请联系账户的所有者。`,
    },
  });
}

/** The role in the deployment, and the second factor that the staff needs. */
export function checkStaff(
  { staffRole, hasFactor }: Pick<Session, "staffRole" | "hasFactor">,
  { routeOptions }: FastifyRequest,
  config: Config,
): void {
  const { staff = [] } = routeOptions.config;
  if (staffRole !== null && staff.includes(staffRole)) {
    if (!hasFactor && staffNeedsFactor(config)) throw new ApiError("second_factor_required");
    return;
  }
  const names = staff.map((role) => `'${role}'`).join(" or ");
  const namesZh = staff.map((role) => `'${role}'`).join(" 或 ");
  throw new ApiError("role_missing", {
    message: {
      en: `This request requires the role ${names} in this deployment.`,
      zh: `此请求需要在本服务中拥有角色 ${namesZh}。`,
    },
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
    message: {
      en: `This request requires the scope ${names}, which this API key does not have. Use another key.`,
      zh: `此请求需要权限范围 ${needed.map((scope) => `'${scope}'`).join(" 或 ")}，此 API 密钥没有。请使用其他密钥。`,
    },
  });
}

/** A scope without `:read` includes reading. */
export function checkServiceScope(
  { scopes }: Pick<ServiceCaller, "scopes">,
  { routeOptions }: FastifyRequest,
): void {
  const { service } = routeOptions.config;
  if (service === undefined) throw new ApiError("person_required");
  if (service === "own") return;
  const noun = service.endsWith(":read") ? service.slice(0, -":read".length) : service;
  if (scopes.some((scope) => scope === service || scope === noun)) return;
  throw new ApiError("scope_missing", {
    message: {
      en: `This request requires the scope '${service}', which this service key does not have. Use another key.`,
      zh: `此请求需要权限范围 '${service}'，此服务密钥没有。请使用其他密钥。`,
    },
  });
}

/**
 * A suspended account can be read; whatever would change something is refused. So is it of a test account
 * while test mode is off, for the deployment or for its account.
 */
export function checkMayChange(caller: Caller, request: FastifyRequest, mode: "on" | "off"): void {
  if (changesNothing(request)) return;
  if (caller.isSuspended) throw new ApiError("account_suspended");
  if (caller.isTest && (mode === "off" || caller.isTestModeOff))
    throw new ApiError("test_mode_off");
}

/** Whether the route reads, by its method or by its own mark. */
export function changesNothing({ method, routeOptions }: FastifyRequest): boolean {
  return isReading(method) || routeOptions.config.isRead === true;
}
