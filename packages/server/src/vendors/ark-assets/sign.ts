import { createHash, createHmac } from "node:crypto";

export interface SigningKey {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
}

const service = "ark";
const contentType = "application/json";

/**
 * The headers that sign a POST of this JSON text with an access key. Signed are also the host and the
 * content type, which the caller sends as they are here. The vendor's clock may be 15 minutes off.
 */
export function signPost(
  key: SigningKey,
  call: { url: string; body: string; at: Date },
): Record<string, string> {
  const { host, pathname, searchParams } = new URL(call.url);
  const time = call.at.toISOString().replace(/[-:]|\.\d+/g, "");
  const day = time.slice(0, 8);
  const bodyHash = sha256(call.body);
  const signed = [
    ["content-type", contentType],
    ["host", host],
    ["x-content-sha256", bodyHash],
    ["x-date", time],
  ];
  const names = signed.map(([name]) => name).join(";");
  const canonical = [
    "POST",
    pathname,
    canonicalQuery(searchParams),
    ...signed.map(([name, value]) => `${name}:${value}`),
    "",
    names,
    bodyHash,
  ].join("\n");
  const scope = [day, key.region, service, "request"];
  const signingKey = scope.reduce<Buffer | string>(hmac, key.secretAccessKey);
  const text = ["HMAC-SHA256", time, scope.join("/"), sha256(canonical)].join("\n");
  const signature = hmac(signingKey, text).toString("hex");
  const credential = `${key.accessKeyId}/${scope.join("/")}`;
  return {
    "x-date": time,
    "x-content-sha256": bodyHash,
    authorization: `HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

function canonicalQuery(query: URLSearchParams): string {
  return [...query]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join("&");
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
