import { join } from "node:path";
import { freePort } from "@zoetrope/dev/services/ports.ts";
import { startS3 } from "@zoetrope/testkit/services/s3.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { buildApi } from "../../src/api/build-api.ts";
import type { AssetAnswer } from "../../src/assets/schema.ts";
import type { UploadAnswer } from "../../src/assets/uploads/schema.ts";
import { withoutUndefined } from "../../src/http/without-undefined.ts";
import type { AssetId, UploadId } from "../../src/ids.ts";
import { createLog } from "../../src/log.ts";
import { openTestBed, type TestBed } from "./test-context.ts";

export const storageDrivers = ["a folder", "S3 (Ceph)"] as const;
type StorageDriver = (typeof storageDrivers)[number];

export interface UploadBed extends AsyncDisposable {
  bed: TestBed;
  apiUrl: string;
  /** The lines that the api has logged. */
  logLines: readonly string[];
  /** A new account that calls the API over HTTP. */
  openSender(): Promise<Sender>;
}

export type Sender = ReturnType<typeof createSender>;

/** The real api over HTTP, on a storage that takes uploads. */
export async function openUploadBed(
  driver: StorageDriver,
  settings: Record<string, string> = {},
): Promise<UploadBed> {
  await using opened = new AsyncDisposableStack();
  const apiUrl = `http://127.0.0.1:${await freePort()}`;
  const storage = driver === "a folder" ? {} : await startBucket(opened);
  const bed = opened.use(
    await openTestBed({
      PUBLIC_URL: apiUrl,
      REVIEW_IMAGE: "",
      REVIEW_VIDEO: "",
      ...storage,
      ...settings,
    }),
  );
  const logLines: string[] = [];
  const log = createLog("info", "api", { write: (line) => logLines.push(line) });
  const api = await buildApi({ ...bed.ctx, log });
  opened.defer(() => api.close());
  await api.listen({ host: "127.0.0.1", port: Number(new URL(apiUrl).port) });
  const everything = opened.move();
  return {
    bed,
    apiUrl,
    logLines,
    openSender: async () => createSender(apiUrl, await bed.openAccount()),
    [Symbol.asyncDispose]: () => everything.disposeAsync(),
  };
}

async function startBucket(opened: AsyncDisposableStack): Promise<Record<string, string>> {
  const scratch = opened.use(await makeScratch("bucket"));
  const s3 = opened.use(await startS3({ dir: join(scratch.path, "s3") }));
  await s3.createBucket("media");
  return {
    S3_ENDPOINT: s3.endpoint,
    S3_REGION: s3.region,
    S3_ACCESS_KEY_ID: s3.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    S3_BUCKET: "media",
  };
}

function createSender(apiUrl: string, account: Awaited<ReturnType<TestBed["openAccount"]>>) {
  async function call(method: "GET" | "POST" | "DELETE", path: string, body?: object) {
    const headers = withoutUndefined({
      authorization: `Bearer ${account.key}`,
      "content-type": body === undefined ? undefined : "application/json",
    });
    const response = await fetch(
      `${apiUrl}/api/v1/assets${path.startsWith("?") ? "" : "/"}${path}`,
      {
        method,
        headers,
        body: body === undefined ? null : JSON.stringify(body),
      },
    );
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }
  async function succeeded<Body>(answer: ReturnType<typeof call>): Promise<Body> {
    const { status, body } = await answer;
    if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
    return body as Body;
  }
  const create = (body: object) => call("POST", "uploads", body);
  const read = (uploadId: UploadId) => call("GET", `uploads?uploadId=${uploadId}`);
  const complete = (uploadId: UploadId, more: object = {}) =>
    call("POST", "uploads/complete", { uploadId, ...more });
  return {
    account,
    call,
    create,
    read,
    complete,
    created: (body: object) => succeeded<UploadAnswer>(create(body)),
    seen: (uploadId: UploadId) => succeeded<UploadAnswer>(read(uploadId)),
    completed: (uploadId: UploadId) => succeeded<AssetAnswer>(complete(uploadId)),
    asset: (assetId: AssetId) => succeeded<AssetAnswer>(call("GET", `status?assetId=${assetId}`)),
  };
}
