/** Whether the sandbox may send a request to a web address. */
export type Reach = (url: string) => boolean;

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Inputs and callbacks are addresses that callers choose, so the sandbox asks the service alone: what
 * is below `serviceUrl`, or, without it, any port of this machine's loopback addresses.
 */
export function createReach(serviceUrl: string | undefined): Reach {
  if (serviceUrl !== undefined) return createReachBelow(serviceUrl);
  return (text) => isWebAddress(text) && loopbackNames.includes(new URL(text).hostname);
}

/** Returns a reach that allows the addresses below one address. */
export function createReachBelow(address: string): Reach {
  const top = new URL(address);
  const root = `${top.pathname}/`.replaceAll(/\/+/g, "/");
  return (text) => {
    if (!isWebAddress(text)) return false;
    const { origin, pathname } = new URL(text);
    return origin === top.origin && pathname.startsWith(root);
  };
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
