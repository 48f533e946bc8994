import { faultOfUrl } from "../media/fetch/public-address.ts";

/** The names of this machine, one of which `zoetrope dev` has in its links. */
const ownHosts: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** Sources come by https. In development and tests also by http, from this machine alone. */
export function sourceProtocols(
  url: string,
  allowLoopback: boolean,
): readonly ("https:" | "http:")[] {
  const isHere = ownHosts.includes(URL.parse(url)?.hostname ?? "");
  return allowLoopback && isHere ? ["https:", "http:"] : ["https:"];
}

export function faultOfSourceUrl(url: string, allowLoopback: boolean): string | null {
  return faultOfUrl(url, sourceProtocols(url, allowLoopback), { allowLoopback });
}
