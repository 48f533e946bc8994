import { type FaultyProxy, startFaultyProxy } from "@zoetrope/testkit/faulty-proxy.ts";

export interface LosingProxy extends FaultyProxy {
  /** The number of next creates that are passed on, but whose responses are lost. */
  lose: number;
}

/** Passes requests on to the service, and loses some responses. */
export async function startLosingProxy(target: string): Promise<LosingProxy> {
  const proxy = Object.assign(await startFaultyProxy(1), { lose: 0, target });
  proxy.spoil = ({ path }) => {
    if (proxy.lose === 0 || !path.endsWith("/createTask")) return undefined;
    proxy.lose -= 1;
    return "reset after";
  };
  return proxy;
}
