import { faultOfUrl } from "../media/fetch/public-address.ts";

/** Sources come by https. In development and tests also by http, from this machine alone. */
export function sourceProtocols(
  url: string,
  allowLoopback: boolean,
): readonly ("https:" | "http:")[] {
  const isHere = URL.parse(url)?.hostname === "127.0.0.1";
  return allowLoopback && isHere ? ["https:", "http:"] : ["https:"];
}

export function faultOfSourceUrl(url: string, allowLoopback: boolean): string | null {
  return faultOfUrl(url, sourceProtocols(url, allowLoopback), { allowLoopback });
}
