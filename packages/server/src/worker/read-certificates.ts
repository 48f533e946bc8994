import { isIP } from "node:net";
import { connect } from "node:tls";
import type { Context } from "../context.ts";
import { signingCertificate } from "../labels/signing-certificate.ts";
import type { certificateParts } from "../metrics/metric-table.ts";
import type { Config } from "../settings/config.ts";

export const certificatesEveryMs = 60 * 60_000;
const connectMsMax = 10_000;

type Part = (typeof certificateParts)[number];

/**
 * Reads when the certificates at our own https addresses and the one that signs outputs expire, and exports
 * it as metrics. An address that does not respond keeps its last value; of several, the first to expire counts.
 * Returns the function that reads those at addresses again.
 */
export function createCertificates({ config, metrics, log }: Context): () => Promise<void> {
  const expiries = new Map<string, { part: Part; seconds: number }>();
  const signing = signingCertificate(config);
  if (signing !== null)
    expiries.set("label", { part: "label", seconds: signing.validTo.getTime() / 1000 });
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
  const sources: [Part, readonly (string | null)[]][] = [
    ["public", [links.publicUrl]],
    ["storage", [storage.kind === "s3" ? storage.endpoint : null]],
    ["engine", engine.ingressUrls],
    ["engine_admin", engine.adminUrls ?? []],
  ];
  return sources.flatMap(([part, urls]) =>
    urls.flatMap((url) => (url?.startsWith("https:") ? [[part, new URL(url)] as [Part, URL]] : [])),
  );
}

/** Returns when the certificate expires. It sends nothing, so an untrusted certificate is read as well. */
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
