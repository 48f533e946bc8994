import { parseCookie, stringifySetCookie } from "cookie";
import { visitSecondsMax } from "./oidc/queries.ts";

/**
 * `__Host-`: the browser accepts the cookie only from this host, over https, for all paths; no sibling
 * domain can set it. `Strict`: it is sent with requests of our own pages alone.
 */
export const sessionCookieName = "__Host-session";
export const deviceCookieName = "__Host-device";
/** `Lax`, unlike the others: the browser comes back from the provider, which is another site. */
export const oidcCookieName = "__Host-oidc";

const cookiesBytesMax = 8_192;

export function sessionCookie(token: string, secondsMax: number): string {
  return render(sessionCookieName, token, secondsMax);
}

export function endedSessionCookie(): string {
  return render(sessionCookieName, "", 0);
}

export function deviceCookie(value: string, secondsMax: number): string {
  return render(deviceCookieName, value, secondsMax);
}

export function oidcCookie(verifier: string): string {
  return render(oidcCookieName, verifier, visitSecondsMax);
}

export function endedOidcCookie(): string {
  return render(oidcCookieName, "", 0);
}

function render(name: string, value: string, maxAge: number): string {
  const sameSite = name === oidcCookieName ? "lax" : "strict";
  return stringifySetCookie({
    name,
    value,
    maxAge,
    path: "/",
    secure: true,
    httpOnly: true,
    sameSite,
  });
}

/** The value of a cookie in a `Cookie` header; the first one if there are several. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined || header.length > cookiesBytesMax) return undefined;
  return parseCookie(header, { decode: (value) => value })[name]; // ours have nothing to decode
}
