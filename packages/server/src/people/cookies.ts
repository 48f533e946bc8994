/**
 * `__Host-`: the browser accepts the cookie only from this host, over https, for all paths; no sibling
 * domain can set it. `Strict`: it is sent with requests of our own pages alone.
 */
export const sessionCookieName = "__Host-session";
export const deviceCookieName = "__Host-device";

const attributes = "Path=/; Secure; HttpOnly; SameSite=Strict";
const cookiesBytesMax = 8_192;

export function sessionCookie(token: string, secondsMax: number): string {
  return `${sessionCookieName}=${token}; Max-Age=${secondsMax}; ${attributes}`;
}

export function endedSessionCookie(): string {
  return `${sessionCookieName}=; Max-Age=0; ${attributes}`;
}

export function deviceCookie(value: string, secondsMax: number): string {
  return `${deviceCookieName}=${value}; Max-Age=${secondsMax}; ${attributes}`;
}

/** The value of a cookie in a `Cookie` header; the first one if there are several. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined || header.length > cookiesBytesMax) return undefined;
  for (const pair of header.split(";")) {
    const [given = "", ...rest] = pair.split("=");
    if (given.trim() === name) return rest.join("=").trim();
  }
  return undefined;
}
