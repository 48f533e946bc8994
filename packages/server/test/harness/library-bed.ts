import assert from "node:assert";
import { type FileServer, serveFiles } from "@zoetrope/testkit/serve-files.ts";
import type { FastifyInstance } from "fastify";
import sharp from "sharp";
import { buildApi } from "../../src/api/build-api.ts";
import { reviewAsset } from "../../src/assets/review/review-asset.ts";
import type { AssetAnswer } from "../../src/assets/schema.ts";
import { storeAsset } from "../../src/assets/store-asset.ts";
import { withoutUndefined } from "../../src/http/without-undefined.ts";
import type { AssetId } from "../../src/ids.ts";
import { openTestBed, type TestBed } from "./test-context.ts";

type Account = Awaited<ReturnType<TestBed["openAccount"]>>;
type Method = "GET" | "POST" | "DELETE";

/** The library behind the real HTTP front, without an engine: a test decides when a step runs. */
export interface LibraryBed extends AsyncDisposable {
  bed: TestBed;
  server: FileServer;
  call(
    account: Account,
    method: Method,
    path: string,
    body?: object,
  ): Promise<{ status: number; body: Record<string, unknown>; retryAfter: string | undefined }>;
  /** Gets one of the service's own links, without a key. */
  open(url: string): Promise<{ status: number; cacheControl: unknown; bytes: Buffer }>;
  /** Uploads a file by its address; nothing is fetched yet. */
  upload(
    account: Account,
    bytes: Buffer,
    type?: string,
  ): Promise<AssetAnswer & Record<string, unknown>>;
  /** Runs an asset's steps, as the engine would. */
  advance(assetId: AssetId): Promise<void>;
}

export async function openLibraryBed(
  dir: string,
  settings: Record<string, string> = {},
): Promise<LibraryBed> {
  await using opened = new AsyncDisposableStack();
  const server = opened.use(await serveFiles({ tlsDir: dir }));
  const bed = opened.use(await openTestBed(settings));
  const api: FastifyInstance = await buildApi(bed.ctx);
  opened.defer(() => api.close());
  await api.ready();
  const call: LibraryBed["call"] = async (account, method, path, body) => {
    const answer = await api.inject(
      withoutUndefined({
        method,
        url: `/api/v1/${path}`,
        headers: { authorization: `Bearer ${account.key}` },
        payload: body,
      }),
    );
    const retryAfter = answer.headers["retry-after"];
    return {
      status: answer.statusCode,
      body: answer.json() as Record<string, unknown>,
      retryAfter: typeof retryAfter === "string" ? retryAfter : undefined,
    };
  };
  const everything = opened.move();
  return {
    bed,
    server,
    call,
    async open(url) {
      assert(url.startsWith(bed.ctx.config.links.publicUrl));
      const path = url.slice(bed.ctx.config.links.publicUrl.length);
      const { statusCode: status, headers, rawPayload } = await api.inject(path);
      return { status, cacheControl: headers["cache-control"], bytes: rawPayload };
    },
    async upload(account, bytes, type = "IMAGE") {
      const url = server.offer(bytes);
      const { status, body } = await call(account, "POST", "assets/upload", { url, type });
      assert.equal(status, 200, JSON.stringify(body));
      return body as AssetAnswer & Record<string, unknown>;
    },
    async advance(assetId) {
      await storeAsset(bed.ctx, assetId);
      await reviewAsset(bed.ctx, assetId);
    },
    [Symbol.asyncDispose]: () => everything.disposeAsync(),
  };
}

export function paint(width = 640, height = 480): Promise<Buffer> {
  const create = { width, height, channels: 3, background: "red" } as const;
  return sharp({ create }).png().toBuffer();
}
