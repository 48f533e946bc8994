import { createHash, createHmac } from "node:crypto";
import { z } from "zod";
import type { SandboxConfig } from "../src/config.ts";
import { sandboxForTest, until } from "./support.ts";

const accessKey = "AK-for-tests";
const secretKey = "a-secret-for-tests";

/** A test's change to an honest signature. */
export interface Slip {
  accessKey?: string;
  secretKey?: string;
  region?: string;
  service?: string;
  path?: string;
  date?: Date;
  /** The body that goes over the wire in place of the signed one. */
  sentBody?: string;
  signedHeaders?: string[];
  authorization?: string;
}

/** Signs as the vendor documents it, sharing no code with the sandbox. */
function sign(host: string, query: string, body: string, slip: Slip): Record<string, string> {
  const sha = (text: string) => createHash("sha256").update(text).digest("hex");
  const mac = (key: string | Buffer, text: string) =>
    createHmac("sha256", key).update(text).digest();
  const { region = "cn-beijing", service = "ark", path = "/" } = slip;
  const xDate = (slip.date ?? new Date()).toISOString().replace(/[-:]|\.\d+/g, "");
  const day = xDate.slice(0, 8);
  const headers: Record<string, string> = {
    "content-type": "application/json",
    host,
    "x-content-sha256": sha(body),
    "x-date": xDate,
  };
  const names = slip.signedHeaders ?? Object.keys(headers);
  const canonical = [
    "POST",
    path,
    query,
    ...names.map((name) => `${name}:${headers[name]}`),
    "",
    names.join(";"),
    sha(body),
  ].join("\n");
  const scope = `${day}/${region}/${service}/request`;
  const toSign = `HMAC-SHA256\n${xDate}\n${scope}\n${sha(canonical)}`;
  let key: string | Buffer = slip.secretKey ?? secretKey;
  for (const part of [day, region, service, "request"]) key = mac(key, part);
  const credential = `${slip.accessKey ?? accessKey}/${scope}`;
  const signature = mac(key, toSign).toString("hex");
  const authorization = `HMAC-SHA256 Credential=${credential}, SignedHeaders=${names.join(";")}, Signature=${signature}`;
  return { ...headers, authorization: slip.authorization ?? authorization };
}

const errorSchema = z.object({ Code: z.string(), Message: z.string() });
const envelopeSchema = z.object({
  ResponseMetadata: z.looseObject({ Error: errorSchema.optional() }),
  Result: z.unknown().optional(),
});
const assetSchema = z.looseObject({
  Id: z.string(),
  Status: z.string(),
  URL: z.string(),
  Error: errorSchema.optional(),
});

/** A sandbox that is spoken to as Ark's asset library, and as Ark for videos. */
export async function assetSandbox(changes: Partial<SandboxConfig> = {}) {
  const keys = { arkAccessKey: accessKey, arkSecretKey: secretKey, assetMs: 5 };
  const sandbox = await sandboxForTest({ ...keys, ...changes });
  const { host } = new URL(sandbox.url);

  async function action(name: string, body: unknown, slip: Slip = {}, version = "2024-01-01") {
    const query = `Action=${name}&Version=${version}`;
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const response = await fetch(`${sandbox.url}/ark-assets/?${query}`, {
      method: "POST",
      headers: sign(host, query, text, slip),
      body: slip.sentBody ?? text,
    });
    const answer = await response.text();
    const { ResponseMetadata, Result } = answer.startsWith("{")
      ? envelopeSchema.parse(JSON.parse(answer))
      : { ResponseMetadata: {}, Result: answer };
    return { status: response.status, metadata: ResponseMetadata, result: Result };
  }

  async function idOf(name: string, body: unknown): Promise<string> {
    const answer = await action(name, body);
    if (answer.status !== 200) throw new Error(`${name}: ${JSON.stringify(answer)}`);
    return z.object({ Id: z.string() }).parse(answer.result).Id;
  }

  const groupId = await idOf("CreateAssetGroup", { Name: "tenant-1" });
  const asset = (fields: object) => ({ GroupId: groupId, AssetType: "Image", ...fields });
  const get = async (id: string) =>
    assetSchema.parse((await action("GetAsset", { Id: id })).result);
  return {
    ...sandbox,
    action,
    idOf,
    groupId,
    asset,
    register: (fields: object) => idOf("CreateAsset", asset(fields)),
    getAsset: get,
    becomes: (id: string, status: string) =>
      until(`${id} is ${status}`, async () => {
        const found = await get(id);
        return found.Status === status ? found : undefined;
      }),
  };
}

export type AssetSandbox = Awaited<ReturnType<typeof assetSandbox>>;

export async function listed(sandbox: AssetSandbox, body: object, action = "ListAssets") {
  const { result } = await sandbox.action(action, body);
  const list = z
    .object({ Items: z.array(z.object({ Id: z.string() })), TotalCount: z.number() })
    .parse(result);
  return { total: list.TotalCount, ids: list.Items.map(({ Id }) => Id) };
}
