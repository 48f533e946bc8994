import { expect } from "vitest";
import { buildApi } from "../../src/api/build-api.ts";
import { mediaUrl } from "../../src/media/storage/media-url.ts";
import { newObjectKey } from "../../src/media/storage/storage.ts";
import type { AssetFacts } from "../../src/models/asset-rules.ts";
import { checkMoney } from "./check-money.ts";
import { insertAsset } from "./insert-asset.ts";
import { openTestBed, type TestBed } from "./test-context.ts";

type Account = Awaited<ReturnType<TestBed["openAccount"]>>;
type Answer = Record<string, unknown> & { http: number };

export type UpscaleBed = Awaited<ReturnType<typeof openUpscaleBed>>;

/** A test bed with the real HTTP front, as a caller of upscales meets it. */
export async function openUpscaleBed() {
  const bed = await openTestBed();
  const api = await buildApi(bed.ctx);
  let assets = 0;

  async function post(
    account: Account,
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const { statusCode, json } = await api.inject({
      method: "POST",
      url: `/api/v1/${path}`,
      headers: { authorization: `Bearer ${account.key}`, ...headers },
      payload: body as object,
    });
    return { http: statusCode, ...(json() as Record<string, unknown>) };
  }

  async function read(account: Account, path: string): Promise<Answer> {
    const headers = { authorization: `Bearer ${account.key}` };
    const { statusCode, json } = await api.inject({ url: `/api/v1/${path}`, headers });
    return { http: statusCode, ...(json() as Record<string, unknown>) };
  }

  return {
    ...bed,
    api,
    post,
    read,
    create: (account: Account, body: unknown, headers?: Record<string, string>) =>
      post(account, "upscale/create", body, headers),

    async expectNothingHeld(account: Account, credits: number): Promise<void> {
      expect(await read(account, "account/credits")).toMatchObject({
        credits,
        availableCredits: credits,
      });
      const rows = await bed.database.sql("select from tasks where account_id = $1", [account.id]);
      expect(rows).toHaveLength(0);
    },

    /** An asset with a stored copy: a small video of 20 s at 25 frames a second that passed its review, by default. */
    async storeAsset(
      account: Account,
      copy: Partial<AssetFacts> & { frames?: number | null } = {},
    ): Promise<string> {
      const key = newObjectKey("mp4");
      const upstreamAssetId = `asset-20260101000000-${++assets}`;
      const { durationMs = 20_000 } = copy;
      const frames = durationMs && Math.round(durationMs / 40);
      const owned = { accountId: account.id, upstreamAssetId, storageKey: key };
      await insertAsset(bed.database, { ...owned, durationMs, frames, ...copy });
      return mediaUrl(bed.ctx.config.links.publicUrl, key);
    },

    async [Symbol.asyncDispose]() {
      await api.close();
      await checkMoney(bed.database);
      await bed[Symbol.asyncDispose]();
    },
  };
}
