import { Resolver } from "node:dns/promises";

const nameMsMax = 5_000;
const loopback = ["127.0.0.1", "::1"];

/** All addresses of a name, IPv4 first. Throws an error with a code when there are none. */
export type ResolveName = (name: string) => Promise<string[]>;

/**
 * Queries the name servers instead of `dns.lookup`, which blocks one of libuv's four threads for as
 * long as a slow name server takes: four slow names would stop lookups of the database, the storage
 * and the engine. /etc/hosts is not read: it holds no public addresses. One resolver per name, so that
 * each can be cancelled on its own.
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
    if (/^localhost\.?$/i.test(name)) return loopback; // by definition, without a query
    const resolver = new Resolver();
    if (servers !== undefined) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), msMax);
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    clearTimeout(timer);
    // One address family is enough: only returned addresses are checked and connected to.
    const addresses = answers.flatMap((answer) =>
      answer.status === "fulfilled" ? answer.value : [],
    );
    if (addresses.length === 0) throw unresolved(answers);
    return addresses;
  };
}

function unresolved(answers: readonly PromiseSettledResult<string[]>[]): Error {
  const codes = answers.map((answer) => (answer.status === "rejected" ? answer.reason.code : ""));
  const failureCode =
    codes.find((code) => code !== "ENOTFOUND" && code !== "ENODATA") ?? "ENOTFOUND";
  const code = failureCode === "ECANCELLED" ? "ETIMEOUT" : failureCode;
  return Object.assign(new Error(`the host name was not resolved: ${code}`), { code });
}
