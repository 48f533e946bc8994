import { createPrivateKey, sign, verify } from "node:crypto";
import { z } from "zod";
import type { Config } from "../settings/config.ts";
import type { SigningCertificate } from "./signing-certificate.ts";

type Labels = Config["labels"];

/** KMS or time-stamp authority do not respond, or ask to be called later. It says nothing about the settings. */
export class ServiceUnavailable extends Error {}

const requestMsMax = 20_000;
const responseBytesMax = 64 * 1024;
const hashes = { es256: "sha256", es384: "sha384" } as const;
const signedSchema = z.object({ signature: z.base64() });

/** Signs bytes with the key of the settings, or has the KMS do it. Returns the numbers r and s. */
export async function signBytes(
  labels: Labels,
  { leaf, algorithm }: SigningCertificate,
  bytes: Buffer,
): Promise<Buffer> {
  const hash = hashes[algorithm];
  if (labels.key !== null)
    return sign(hash, bytes, { key: createPrivateKey(labels.key), dsaEncoding: "ieee-p1363" });
  const signature = await askKms(labels, algorithm, bytes);
  if (!verify(hash, bytes, { key: leaf.publicKey, dsaEncoding: "ieee-p1363" }, signature))
    throw new Error(
      "the signature of LABEL_KMS_URL does not fit LABEL_CERTIFICATE: it must be made with its key, in the form r|s",
    );
  return signature;
}

async function askKms({ kmsUrl, kmsToken }: Labels, algorithm: string, bytes: Buffer) {
  if (kmsUrl === null) throw new Error("neither LABEL_KEY nor LABEL_KMS_URL is set");
  const body = await post("LABEL_KMS_URL", kmsUrl, {
    headers: { authorization: `Bearer ${kmsToken}`, "content-type": "application/json" },
    body: JSON.stringify({
      algorithm: algorithm.toUpperCase(),
      bytes: bytes.toString("base64"),
    }),
  });
  const { data } = signedSchema.safeParse(parseJson(body));
  if (data === undefined)
    throw new Error('the response of LABEL_KMS_URL is not {"signature": base64}');
  return Buffer.from(data.signature, "base64");
}

/** Sends an RFC 3161 request to the time-stamp authority. */
export async function timeStamp({ tsaUrl }: Labels, query: Buffer): Promise<Buffer> {
  if (tsaUrl === null) throw new Error("LABEL_TSA_URL is not set");
  return await post("LABEL_TSA_URL", tsaUrl, {
    headers: { "content-type": "application/timestamp-query" },
    body: new Uint8Array(query),
  });
}

/** Errors name the setting: URLs may have secrets in them, and so may what a server writes. */
async function post(
  setting: string,
  configured: string,
  { headers, body }: { headers: Record<string, string>; body: string | Uint8Array<ArrayBuffer> },
): Promise<Buffer> {
  const { url, credentials } = splitCredentials(configured);
  const response = await fetch(url, {
    method: "POST",
    redirect: "error",
    signal: AbortSignal.timeout(requestMsMax),
    headers: { ...credentials, ...headers },
    body,
  }).catch((error: Error) => {
    throw new ServiceUnavailable(`${setting} does not respond: ${causeOf(error)}`);
  });
  if (!response.ok) {
    await response.body?.cancel();
    const { status } = response;
    const Fault = status >= 500 || status === 429 ? ServiceUnavailable : Error;
    throw new Fault(`${setting} responded with status ${status}`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > responseBytesMax) throw new Error(`the response of ${setting} is too long`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A URL may have a name and a password in it, which fetch refuses. */
function splitCredentials(configured: string): { url: URL; credentials: Record<string, string> } {
  const url = new URL(configured);
  const { username, password } = url;
  if (username === "") return { url, credentials: {} };
  url.username = "";
  url.password = "";
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { url, credentials: { authorization: `Basic ${Buffer.from(pair).toString("base64")}` } };
}

function causeOf({ name, cause }: Error): string {
  if (!(cause instanceof Error)) return name;
  return "code" in cause ? String(cause.code) : cause.message;
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return null;
  }
}
