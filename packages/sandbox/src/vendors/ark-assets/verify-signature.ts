import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { AssetsError } from "./errors.ts";

export interface SignedCall {
  method: string;
  /** The URL with its query, as the request line has it. */
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface AccessKeys {
  arkAccessKey: string;
  arkSecretKey: string;
}

const skewMsMax = 15 * 60_000;
const regions = ["cn-beijing", "ap-southeast-1"];
const headersNeeded = ["content-type", "host", "x-content-sha256", "x-date"];
const authorizationPattern =
  /^HMAC-SHA256 Credential=([^/\s,]+)\/(\d{8})\/([^/\s,]+)\/([^/\s,]+)\/request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/;

/** Checks a call's AK/SK signature as the vendor does and returns its region. Throws AssetsError. */
export function verifySignature(call: SignedCall, keys: AccessKeys, nowMs: number): string {
  const { accessKey, date, region, service, signedHeaders, signature } = readAuthorization(call);
  if (accessKey !== keys.arkAccessKey) {
    throw new AssetsError("InvalidAccessKey", "The access key does not exist.");
  }
  const xDate = headerOf(call, "x-date");
  checkTime(xDate, nowMs);
  if (date !== xDate.slice(0, 8) || service !== "ark" || !regions.includes(region)) {
    throw new AssetsError("InvalidCredential", "The credential's scope does not fit the request.");
  }
  const missing = headersNeeded.find((name) => !signedHeaders.includes(name));
  if (missing !== undefined) {
    throw new AssetsError("InvalidAuthorization", `The header ${missing} must be signed.`);
  }
  if (headerOf(call, "x-content-sha256") !== sha256(call.body)) {
    throw new AssetsError("SignatureDoesNotMatch", "X-Content-Sha256 is not that of the body.");
  }
  const scope = `${date}/${region}/${service}/request`;
  const key = [date, region, service, "request"].reduce<Buffer | string>(hmac, keys.arkSecretKey);
  const isRight = pathsOf(call).some((path) => {
    const canonical = canonicalRequest(call, path, signedHeaders);
    const right = hmac(key, ["HMAC-SHA256", xDate, scope, sha256(canonical)].join("\n"));
    return timingSafeEqual(right, Buffer.from(signature, "hex"));
  });
  if (isRight) return region;
  throw new AssetsError("SignatureDoesNotMatch", "The signature does not match the request.");
}

function readAuthorization(call: SignedCall) {
  const parts = headerOf(call, "authorization").match(authorizationPattern);
  if (!parts) {
    throw new AssetsError(
      "InvalidAuthorization",
      "The Authorization header is missing or unusable.",
    );
  }
  const [, accessKey = "", date = "", region = "", service = "", headers = "", signature = ""] =
    parts;
  return { accessKey, date, region, service, signedHeaders: headers.split(";"), signature };
}

function checkTime(xDate: string, nowMs: number) {
  const iso = xDate.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z");
  // also when it is no time at all: NaN is not below the limit
  if (Math.abs(Date.parse(iso) - nowMs) < skewMsMax) return;
  throw new AssetsError("InvalidTimestamp", "X-Date is not within 15 minutes of now.");
}

/** The vendor's API is at the root of its host; here it has a prefix, which a client may leave out. */
function pathsOf(call: SignedCall): string[] {
  const [path = "/"] = call.url.split("?");
  return [path, "/"];
}

function canonicalRequest(call: SignedCall, path: string, signedHeaders: string[]): string {
  const headers = signedHeaders.map((name) => `${name}:${headerOf(call, name).trim()}\n`).join("");
  return [
    call.method,
    path,
    canonicalQuery(call.url),
    headers,
    signedHeaders.join(";"),
    sha256(call.body),
  ].join("\n");
}

function canonicalQuery(url: string): string {
  const [, query = ""] = url.split("?");
  return [...new URLSearchParams(query)]
    .map(([name, value]) => `${uriEncode(name)}=${uriEncode(value)}`)
    .sort()
    .join("&");
}

function uriEncode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function headerOf(call: SignedCall, name: string): string {
  const value = call.headers[name];
  return typeof value === "string" ? value : "";
}

function sha256(data: Buffer | string): string {
  return createHash("sha256").update(data).digest("hex");
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
