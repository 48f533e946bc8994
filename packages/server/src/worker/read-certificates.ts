import { isIP } from "node:net";
import { connect } from "node:tls";
import type { Config } from "../config.ts";
import type { Context } from "../context.ts";
import type { certificateParts } from "../metrics/metric-table.ts";

export const certificatesEveryMs = 60 * 60_000;
const connectMsMax = 10_000;

type Part = (typeof certificateParts)[number];

/**
 * Reads when the certificates at our own https addresses expire, and shows it. An address that does not
 * answer keeps what was read before; of several, the first to expire counts. Returns what reads them again.
 */
export function createCertificates({ config, metrics, log }: Context): () => Promise<void> {
  const expiries = new Map<string, { part: Part; seconds: number }>();
  metrics.certificateExpiry.observe(() =>
    [...Map.groupBy(expiries.values(), ({ part }) => part)].map(
      ([part, all]) => [Math.min(...all.map(({ seconds }) => seconds)), { part }] as const,
    ),
  );
  return async () => {
    for (const [part, url] of addressesOf(config)) {
      const expiry = await readExpiry(url).catch((error: unknown) => {
        log.warn({ event: "certificate.unread", part, reason: String(error) });
        return null;
      });
      if (expiry !== null)
        expiries.set(`${part} ${url.host}`, { part, seconds: expiry.getTime() / 1000 });
    }
  };
}

function addressesOf({ links, storage, engine }: Config): [Part, URL][] {
  const given: [Part, readonly (string | null)[]][] = [
    ["public", [links.publicUrl]],
    ["storage", [storage.kind === "s3" ? storage.endpoint : null]],
    ["engine", engine.ingressUrls],
    ["engine_admin", engine.adminUrls ?? []],
  ];
  return given.flatMap(([part, urls]) =>
    urls.flatMap((url) => (url?.startsWith("https:") ? [[part, new URL(url)] as [Part, URL]] : [])),
  );
}

/** Only looks at the certificate and sends nothing, so one that is not trusted is read as well. */
export async function readExpiry({ hostname, port }: URL): Promise<Date> {
  const host = hostname.replace(/^\[|\]$/g, "");
  const { promise, resolve, reject } = Promise.withResolvers<Date>();
  const socket = connect({
    host,
    port: Number(port || 443),
    ...(isIP(host) ? {} : { servername: host }),
    rejectUnauthorized: false,
    timeout: connectMsMax,
  });
  socket.on("secureConnect", () => {
    const expiry = new Date(socket.getPeerCertificate().valid_to);
    if (Number.isNaN(expiry.getTime())) reject(new Error("it has no time of expiry"));
    else resolve(expiry);
  });
  socket.on("error", reject);
  socket.on("timeout", () => reject(new Error("it does not answer")));
  return promise.finally(() => socket.destroy());
}
