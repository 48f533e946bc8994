import type { Log } from "../../log.ts";
import type { Config } from "../../settings/config.ts";
import type { ProviderCalls } from "./openid-provider.ts";

export interface Provider extends ProviderCalls {
  name: string;
  emailDomains: readonly string[] | null;
}

/** The OpenID provider of the settings; null: there is none. The protocol is loaded only where it is set. */
export function createProvider({ oidc, links }: Config, log: Log): Provider | null {
  const { issuer, clientId, clientSecret, name, emailDomains } = oidc;
  if (issuer === null || clientId === null || clientSecret === null) return null;
  const redirectUrl = `${links.publicUrl}/api/v1/session/oidc/callback`;
  const opened = import("./openid-provider.ts").then(({ openProvider }) =>
    openProvider({ issuer, clientId, clientSecret, redirectUrl }, log),
  );
  return {
    name,
    emailDomains,
    urlFor: async (visit) => (await opened).urlFor(visit),
    redeem: async (query, visit) => (await opened).redeem(query, visit),
  };
}
