/** The token of a mailed link. It is in the fragment, which browsers send to nobody. */
export function linkToken(): string | null {
  return new URLSearchParams(location.hash.slice(1)).get("token");
}
