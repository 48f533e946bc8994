/** A path of the console; anything else leads to the start page. */
export function safeReturnTo(text: string | null | undefined): string {
  if (text === null || text === undefined || !/^\/console(?=[/?]|$)/.test(text)) return "/console";
  const url = new URL(text, location.origin);
  return url.origin === location.origin ? `${url.pathname}${url.search}${url.hash}` : "/console";
}
