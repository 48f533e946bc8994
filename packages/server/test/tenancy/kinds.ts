import assert from "node:assert";
import { createHash, randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type {
  AccountId,
  AssetId,
  DeliveryId,
  EndpointId,
  KeyId,
  TaskId,
  UploadId,
} from "../../src/ids.ts";
import { storeFile } from "../../src/media/storage/objects.ts";
import { completeTask } from "../../src/tasks/complete-task.ts";
import type { TestBed } from "../harness/test-context.ts";
import type { Call, Caller } from "./call.ts";

/** Ids of every family, in the right form, that nobody has. */
export const missing = {
  task: "00000000-0000-7000-8000-000000000000",
  upscale: "00000000-0000-7000-8000-000000000001",
  upload: "00000000-0000-7000-8000-000000000002",
  delivery: "00000000-0000-7000-8000-000000000003",
  key: "00000000-0000-7000-8000-000000000004",
  endpoint: "00000000-0000-7000-8000-000000000005",
  "asset number": "987654321",
  "asset name": "asset-20260101000000-nobodyhasit0",
  "stored copy": `${"0".repeat(40)}.png`,
};
export type Family = keyof typeof missing;
export type Ids = Partial<Record<Family, string>>;

export interface TenancyFixture {
  bed: TestBed;
  dir: string;
  call: Caller;
}

/** A person who has one of everything, with a mark in it that nobody else has. */
export interface Owner {
  accountId: AccountId;
  key: string;
  mark: string;
  /** The ids by kind. */
  ids: Map<string, Ids>;
  /** Requests that created something, each with its Idempotency-Key. */
  creations: Call[];
  /** The secrets that no other account may ever read, beside the mark. */
  secrets: string[];
}

/**
 * Every kind of thing that has an id, in the order in which they are made. A new kind is a row here,
 * and rows in places.ts for where its ids are taken.
 */
export const kinds: Record<string, (fixture: TenancyFixture, owner: Owner) => Promise<Ids>> = {
  "asset in review": createAsset,
  "asset in use": async (fixture, owner) => {
    const ids = await createAsset(fixture, owner);
    const copy = `${randomBytes(20).toString("hex")}.png`;
    await fixture.bed.database.sql(
      `update assets set status = 'ACTIVE', content_type = 'image/png', size_bytes = 1000,
         width = 500, height = 500, storage_key = $2 where id = $1`,
      [ids["asset number"], copy],
    );
    return { ...ids, "stored copy": copy };
  },
  upload: async ({ call }, owner) => {
    const body = { type: "IMAGE", name: owner.mark, size: 10 };
    const url = "/api/v1/assets/uploads";
    const answer = await call(owner.key, { method: "POST", url, body });
    const { uploadId, chunks } = read<{ uploadId: UploadId; chunks: { url: string }[] }>(answer);
    owner.secrets.push(...chunks.map(({ url }) => url));
    return { upload: uploadId };
  },
  key: async ({ call }, owner) => {
    const body = { name: owner.mark, scopes: ["read"] };
    const answer = await call(owner.key, { method: "POST", url: "/api/v1/account/keys", body });
    const { keyId, key } = read<{ keyId: KeyId; key: string }>(answer);
    owner.secrets.push(key);
    return { key: keyId };
  },
  endpoint: async ({ call }, owner) => {
    const body = { url: `https://example.com/${owner.mark}`, events: ["credits.low"] };
    const url = "/api/v1/webhooks/endpoints";
    const answer = await call(owner.key, { method: "POST", url, body });
    const { endpointId, secret } = read<{ endpointId: EndpointId; secret: string }>(answer);
    owner.secrets.push(secret);
    return { endpoint: endpointId };
  },
  "finished task": async (fixture, owner) => {
    const image = `asset://${owner.ids.get("asset in use")?.["asset name"]}`;
    const inputs = { prompt: `finished ${owner.mark}`, urls: [image] };
    const taskId = await create(fixture, owner, "jobs/createTask", { model: "sd2", inputs });
    await finish(fixture, owner, taskId);
    const url = `/api/v1/webhooks/deliveries?taskId=${taskId}`;
    const answer = await fixture.call(owner.key, { method: "GET", url });
    const [delivery] = read<{ items: { deliveryId: DeliveryId }[] }>(answer).items;
    assert(delivery !== undefined);
    return { task: taskId, delivery: delivery.deliveryId };
  },
  "open task": async (fixture, owner) => {
    const inputs = { prompt: `open ${owner.mark}` };
    return { task: await create(fixture, owner, "jobs/createTask", { model: "sd2", inputs }) };
  },
  "open upscale": async (fixture, owner) => {
    const source = { type: "url", url: `https://example.com/${owner.mark}.mp4` };
    const body = { source, targetResolution: "4k" };
    return { upscale: await create(fixture, owner, "upscale/create", body) };
  },
};

/** The number of tasks made above that stay open. */
export const openTasksOfEach = 2;

async function create(
  fixture: TenancyFixture,
  owner: Owner,
  path: string,
  body: object,
): Promise<TaskId> {
  const creation: Call = {
    method: "POST",
    url: `/api/v1/${path}`,
    body: { ...body, callBackUrl: `https://example.com/${owner.mark}` },
    headers: { "idempotency-key": `${owner.mark} ${owner.creations.length}` },
  };
  owner.creations.push(creation);
  return read<{ taskId: TaskId }>(await fixture.call(owner.key, creation)).taskId;
}

async function finish({ bed, dir }: TenancyFixture, owner: Owner, taskId: TaskId): Promise<void> {
  const path = join(dir, owner.mark);
  await writeFile(path, owner.mark);
  const sha256 = createHash("sha256").update(owner.mark).digest("hex");
  const facts = { contentType: "video/mp4", sizeBytes: owner.mark.length, sha256 };
  const key = await storeFile(bed.ctx, path, "mp4", facts);
  owner.secrets.push(key);
  const measured = { width: 64, height: 64, durationMs: 1_000 };
  await completeTask(bed.ctx, taskId, { key, ...facts, ...measured });
}

async function createAsset({ call }: TenancyFixture, owner: Owner): Promise<Ids> {
  const body = { url: `https://example.com/${owner.mark}.png`, type: "IMAGE", name: owner.mark };
  const url = "/api/v1/assets/upload";
  const answer = await call(owner.key, { method: "POST", url, body });
  const asset = read<{ assetId: AssetId; upstreamAssetId: string }>(answer);
  return { "asset number": String(asset.assetId), "asset name": asset.upstreamAssetId };
}

function read<Body>({ status, text }: { status: number; text: string }): Body {
  if (status !== 200) throw new Error(`answered ${status}: ${text}`);
  return JSON.parse(text) as Body;
}
