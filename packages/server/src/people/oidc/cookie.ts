import { visitSecondsMax } from "./queries.ts";

export const oidcCookieName = "__Host-oidc";

/** `Lax`, unlike the session's: the browser comes back from the provider, which is another site. */
const attributes = "Path=/; Secure; HttpOnly; SameSite=Lax";

export function oidcCookie(verifier: string): string {
  return `${oidcCookieName}=${verifier}; Max-Age=${visitSecondsMax}; ${attributes}`;
}

export function endedOidcCookie(): string {
  return `${oidcCookieName}=; Max-Age=0; ${attributes}`;
}
