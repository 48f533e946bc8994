import assert from "node:assert";
import { request as connectHttp } from "node:http";
import { isIP, type Socket } from "node:net";
import type { Readable } from "node:stream";
import { Agent, buildConnector, type Dispatcher, request } from "undici";
import { type AddressPolicy, faultOfUrl, isAllowedAddress } from "./public-address.ts";
import { createNameResolver, type ResolveName } from "./resolve-name.ts";

/**
 * The only way to fetch a URL given by a user or a vendor. The connector resolves the name itself,
 * refuses it unless every address is public, connects to a checked address (so a second DNS response
 * cannot move the target), and checks the peer address again before sending a byte. Redirects are
 * followed only on request, each checked like the first URL, and never from https to http. Nothing
 * ambient (cookies, credentials, proxies of the environment) is added.
 */
export interface SafeFetch {
  (url: string, options: SafeFetchOptions): Promise<SafeResponse>;
  close(): Promise<void>;
}

interface SafeFetchOptions {
  method: "GET" | "POST";
  protocols: readonly ("http:" | "https:")[];
  headers?: Record<string, string>;
  body?: string;
  /** The maximum number of redirects that a GET follows. Omitted: none. */
  redirectsMax?: number;
  /** The maximum time for everything: DNS, connections, redirects, response and body. */
  totalMsMax: number;
  /** Ends it earlier, at any point. */
  signal?: AbortSignal;
}

interface SafeResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Readable;
}

/** A refused or failed fetch, with a public reason. */
export class FetchRefused extends Error {}

/** The URL, or a redirect, leads to a forbidden target: the URL itself is at fault. */
export class AddressRefused extends FetchRefused {}

const connectMsMax = 5_000;
const responseHeaderBytesMax = 16 * 1024;
/**
 * Whether HTTP/2 is used. It does not keep that limit, and requests to one host would wait for each other's
 * connection.
 */
const allowH2 = false;

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/**
 * Creates a fetch that connects only to checked addresses. With a proxy every connection is made through
 * it.
 */
export function createSafeFetch(
  policy: AddressPolicy,
  proxyUrl: string | null = null,
  resolveName: ResolveName = createNameResolver(),
): SafeFetch {
  const resolve = (hostname: string) => resolveAllowed(hostname, policy, resolveName);
  const agent = new Agent({
    connect:
      proxyUrl === null
        ? guardedConnector(policy, resolve)
        : proxiedConnector(resolve, new URL(proxyUrl)),
    allowH2,
    maxHeaderSize: responseHeaderBytesMax,
    keepAliveTimeout: 5_000,
    connections: 128, // to one origin; more than callers have under way, or some would time out in a queue
  });
  const safeFetch = async (first: string, options: SafeFetchOptions): Promise<SafeResponse> => {
    const signals = options.signal === undefined ? [] : [options.signal];
    const signal = AbortSignal.any([AbortSignal.timeout(options.totalMsMax), ...signals]);
    const settings: Omit<Dispatcher.RequestOptions, "origin" | "path"> = {
      method: options.method,
      headers: { "accept-encoding": "identity", ...options.headers },
      body: options.body ?? null,
      signal,
    };
    let { protocols } = options;
    let url = first;
    for (let redirects = 0; ; redirects++) {
      const fault = faultOfUrl(url, protocols, policy);
      if (fault !== null) throw new AddressRefused(fault);
      const response = await orAborted(request(url, { ...settings, dispatcher: agent }), signal);
      const { statusCode: status, headers, body } = response;
      const next = options.redirectsMax !== undefined ? targetOf(status, headers, url) : null;
      if (next === null) return { status, headers, body };
      body.on("error", () => {}).destroy();
      if (redirects === options.redirectsMax) throw new FetchRefused("too many redirects");
      if (url.startsWith("https:")) protocols = ["https:"];
      url = next;
    }
  };
  return Object.assign(safeFetch, { close: () => agent.destroy() });
}

/** undici observes the signal once it has a connection; this covers the time of name resolution. */
function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", abort));
}

function targetOf(
  status: number,
  { location }: Record<string, string | string[] | undefined>,
  from: string,
): string | null {
  if (!redirectStatuses.has(status) || typeof location !== "string") return null;
  return URL.parse(location, from)?.href ?? "not a URL";
}

type Resolve = (hostname: string) => Promise<Checked>;
type Connect = buildConnector.connector;

function guardedConnector(policy: AddressPolicy, resolve: Resolve): Connect {
  const connect = buildConnector({ timeout: connectMsMax, allowH2 });
  const connectTo = (address: string, options: buildConnector.Options): Promise<Socket> => {
    const { promise, resolve: connected, reject } = Promise.withResolvers<Socket>();
    const servername = options.servername ?? (isIP(options.hostname) ? "" : options.hostname);
    connect({ ...options, hostname: address, servername }, (error, socket) => {
      if (error !== null) return reject(error);
      const refusal = checkRemote(socket, policy);
      if (refusal === null) return connected(socket);
      socket.destroy();
      reject(refusal);
    });
    return promise;
  };
  return (options, callback) => {
    resolve(options.hostname)
      .then(([first, second]) => {
        const connecting = connectTo(first, options);
        return second === undefined
          ? connecting
          : connecting.catch(() => connectTo(second, options));
      })
      .then(
        (socket) => callback(null, socket),
        (error: Error) => callback(error, null),
      );
  };
}

/**
 * Connects through an egress proxy with CONNECT. The proxy gets the checked address, never the name,
 * so that it cannot resolve it differently.
 */
function proxiedConnector(resolve: Resolve, proxy: URL): Connect {
  const connect = buildConnector({ timeout: connectMsMax, allowH2 });
  return (options, callback) => {
    const isSecure = options.protocol === "https:";
    const port = options.port || (isSecure ? "443" : "80");
    resolve(options.hostname)
      .then(([address]) => openTunnel(proxy, isIP(address) === 6 ? `[${address}]` : address, port))
      .then(
        (socket) => {
          if (!isSecure) return callback(null, socket);
          const servername = options.servername ?? (isIP(options.hostname) ? "" : options.hostname);
          connect({ ...options, servername, httpSocket: socket }, callback);
        },
        (error: Error) => callback(error, null),
      );
  };
}

function openTunnel(proxy: URL, host: string, port: string): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const credentials = decodeURIComponent(`${proxy.username}:${proxy.password}`);
  const asking = connectHttp({
    method: "CONNECT",
    host: proxy.hostname.replace(/^\[|\]$/g, ""),
    port: proxy.port || 80,
    path: `${host}:${port}`,
    timeout: connectMsMax,
    headers:
      proxy.username === ""
        ? {}
        : { "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}` },
  });
  asking.on("connect", (answer, socket) => {
    if (answer.statusCode === 200) return resolve(socket as Socket);
    socket.destroy();
    reject(new FetchRefused("the egress proxy refused the connection"));
  });
  asking.on("timeout", () => asking.destroy(new Error("the egress proxy did not answer")));
  asking.on("error", reject);
  asking.end();
  return promise;
}

/** Addresses to try, one after the other: the first of each family. */
type Checked = [first: string, second?: string];

export async function resolveAllowed(
  hostname: string,
  policy: AddressPolicy,
  resolveName: ResolveName,
): Promise<Checked> {
  const host = hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(host) === 0 ? await resolveName(host) : [host];
  const [first] = addresses;
  assert(first !== undefined); // a name without an address does not resolve
  if (!addresses.every((address) => isAllowedAddress(address, policy)))
    throw new AddressRefused("address not public");
  const second = addresses.find((address) => isIP(address) !== isIP(first));
  return second === undefined ? [first] : [first, second];
}

function checkRemote(socket: Socket, policy: AddressPolicy): FetchRefused | null {
  const remote = socket.remoteAddress;
  if (remote !== undefined && isAllowedAddress(remote, policy)) return null;
  return new AddressRefused("address not public");
}

/** Reads at most `bytesMax` and discards the rest. */
export async function readAtMost(body: Readable, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes.subarray(0, bytesMax - size));
    size += bytes.length;
    if (size >= bytesMax) break; // leaving the loop destroys the stream
  }
  return Buffer.concat(chunks);
}
