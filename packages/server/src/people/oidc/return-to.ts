const pathPattern = /^\/(?![/\\])[\x21-\x7e]*$/;

/**
 * Returns the URL to which a browser goes after signing in: a page of this deployment, never elsewhere.
 * Null: the text is not one. The result contains our origin, so that no browser can read another host out
 * of it.
 */
export function ownUrlOf(publicUrl: string, returnTo: string): string | null {
  if (!pathPattern.test(returnTo) || returnTo.includes("\\")) return null;
  const { origin } = new URL(publicUrl);
  const url = URL.parse(returnTo, origin);
  return url === null || url.origin !== origin ? null : url.href;
}
