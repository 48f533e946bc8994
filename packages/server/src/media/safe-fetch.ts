import { lookup } from "node:dns/promises";
import { isIP, type Socket } from "node:net";
import type { Readable } from "node:stream";
import { Agent, buildConnector, type Dispatcher, request } from "undici";
import { type AddressPolicy, faultOfUrl, isAllowedAddress } from "./public-address.ts";

/**
 * The only way to a URL that a user or a vendor gave. The connector resolves the name itself, refuses
 * it unless every address is public, connects to an address it has checked (so a second DNS answer
 * cannot move the target), and looks at the socket's other end again before a byte is sent.
 * Redirects are not followed; nothing ambient (cookies, credentials, proxies) is added.
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
  /** For everything: name, connection, answer and body. */
  totalMsMax: number;
}

interface SafeResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Readable;
}

/** A fetch that did not happen, with a plain reason that may be shown. */
export class FetchRefused extends Error {}

const connectMsMax = 5_000;
const responseHeaderBytesMax = 16 * 1024;

export function createSafeFetch(policy: AddressPolicy): SafeFetch {
  const agent = new Agent({
    connect: guardedConnector(policy),
    maxHeaderSize: responseHeaderBytesMax,
    keepAliveTimeout: 5_000,
    connections: 32, // to one receiver
  });
  const safeFetch = async (url: string, options: SafeFetchOptions): Promise<SafeResponse> => {
    const fault = faultOfUrl(url, options.protocols, policy);
    if (fault !== null) throw new FetchRefused(fault);
    const settings: Omit<Dispatcher.RequestOptions, "origin" | "path"> = {
      method: options.method,
      headers: { "accept-encoding": "identity", ...options.headers },
      body: options.body ?? null,
      signal: AbortSignal.timeout(options.totalMsMax),
      headersTimeout: options.totalMsMax,
      bodyTimeout: options.totalMsMax,
    };
    const response = await request(url, { ...settings, dispatcher: agent });
    return { status: response.statusCode, headers: response.headers, body: response.body };
  };
  return Object.assign(safeFetch, { close: () => agent.destroy() });
}

function guardedConnector(policy: AddressPolicy): buildConnector.connector {
  const connect = buildConnector({ timeout: connectMsMax });
  return (options, callback) => {
    resolveAllowed(options.hostname, policy).then(
      (address) => {
        const servername = options.servername ?? (isIP(options.hostname) ? "" : options.hostname);
        connect({ ...options, hostname: address, servername }, (...result) => {
          const [error, socket] = result;
          if (error !== null) return callback(error, null);
          const refusal = checkRemote(socket, policy);
          if (refusal === null) return callback(null, socket);
          socket.destroy();
          callback(refusal, null);
        });
      },
      (error: Error) => callback(error, null),
    );
  };
}

export async function resolveAllowed(hostname: string, policy: AddressPolicy): Promise<string> {
  const host = hostname.replace(/^\[|\]$/g, "");
  const addresses =
    isIP(host) === 0 ? (await lookup(host, { all: true })).map((found) => found.address) : [host];
  const [first] = addresses;
  if (first === undefined) throw new FetchRefused("the host name has no address");
  if (!addresses.every((address) => isAllowedAddress(address, policy)))
    throw new FetchRefused("address not public");
  return first;
}

function checkRemote(socket: Socket, policy: AddressPolicy): FetchRefused | null {
  const remote = socket.remoteAddress;
  if (remote !== undefined && isAllowedAddress(remote, policy)) return null;
  return new FetchRefused("address not public");
}

/** Reads at most `bytesMax` and lets go of the rest. */
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
