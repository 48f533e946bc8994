import { Resolver } from "node:dns/promises";

const nameMsMax = 5_000;
const loopback = ["127.0.0.1", "::1"];

/** All addresses of a name, IPv4 first. Throws an error with a code when there are none. */
export type ResolveName = (name: string) => Promise<string[]>;

/**
 * Asks the name servers itself instead of the system (`dns.lookup`): that holds one of libuv's few
 * threads for as long as a stranger's name server likes, and with four slow names the database, the
 * storage and the engine are not found any more either. /etc/hosts is not read: what stands there is
 * nobody's public address. A resolver per name, so that it can be given up without the others.
 */
export function createNameResolver({
  servers,
  msMax = nameMsMax,
}: {
  /** Instead of the system's. */
  servers?: readonly string[];
  msMax?: number;
} = {}): ResolveName {
  return async (name) => {
    if (/^localhost\.?$/i.test(name)) return loopback; // by definition; no name server is asked
    const resolver = new Resolver();
    if (servers !== undefined) resolver.setServers(servers);
    const patience = setTimeout(() => resolver.cancel(), msMax);
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    clearTimeout(patience);
    // One family is enough: only what was answered is checked and connected to.
    const addresses = answers.flatMap((answer) =>
      answer.status === "fulfilled" ? answer.value : [],
    );
    if (addresses.length === 0) throw unresolved(answers);
    return addresses;
  };
}

function unresolved(answers: readonly PromiseSettledResult<string[]>[]): Error {
  const codes = answers.map((answer) => (answer.status === "rejected" ? answer.reason.code : ""));
  const trouble = codes.find((code) => code !== "ENOTFOUND" && code !== "ENODATA") ?? "ENOTFOUND";
  const code = trouble === "ECANCELLED" ? "ETIMEOUT" : trouble;
  return Object.assign(new Error(`the host name was not resolved: ${code}`), { code });
}
