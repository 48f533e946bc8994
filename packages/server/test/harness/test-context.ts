import { randomBytes } from "node:crypto";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { createAccount } from "../../src/accounts/create-account.ts";
import { createKey } from "../../src/accounts/create-key.ts";
import type { Caller, KeyLimits } from "../../src/accounts/queries.ts";
import { grantCredits } from "../../src/credits/ledger.ts";
import type { KeyId } from "../../src/ids.ts";
import { type FirstShardContext, openContext } from "../../src/open-context.ts";
import { readConfig } from "../../src/settings/config.ts";
import { type FreshDatabase, freshDatabase } from "./fresh-database.ts";

/** An address without a listener: the engine is down and vendors cannot be reached. */
const nowhere = "http://127.0.0.1:9";

export interface TestBed extends AsyncDisposable {
  ctx: FirstShardContext;
  database: FreshDatabase;
  /** The root of the disk storage. */
  storageDir: string;
  /** A second process, as far as the database can tell. */
  openAnother(): FirstShardContext;
  openAccount(options?: {
    credits?: number;
    openTasksMax?: number;
    priceBook?: string;
    limits?: Partial<KeyLimits>;
  }): Promise<Caller & { keyId: KeyId; key: string }>;
}

/** Opens the real context on a fresh database, without an engine. */
export async function openTestBed(settings: Record<string, string> = {}): Promise<TestBed> {
  const scratch = await makeScratch("bed");
  const database = await freshDatabase();
  const config = readConfig({
    LOG_LEVEL: "silent",
    OPS_PORT: "0", // metrics are recorded, and served to nobody
    DATABASE_URL: database.serviceUrl,
    DATABASE_CONNECTIONS_MAX: "20",
    PUBLIC_URL: "http://127.0.0.1:8080",
    RESTATE_INGRESS_URL: nowhere,
    ...(settings["S3_BUCKET"] === undefined ? { STORAGE_DIR: scratch.path } : {}),
    VENDORS: "[]",
    KEY_RING: `test ${randomBytes(32).toString("base64")}`,
    VENDOR_CALLBACK_SECRET: "0123456789abcdef0123456789abcdef",
    ALLOW_LOOPBACK: "true",
    ...settings,
  });
  const contexts: FirstShardContext[] = [];
  const openAnother = () => {
    const opened = openContext(config, "test");
    contexts.push(opened);
    return opened;
  };
  const ctx = openAnother();
  return {
    ctx,
    database,
    storageDir: scratch.path,
    openAnother,
    async openAccount({ credits = 10_000, openTasksMax, priceBook, limits = {} } = {}) {
      const { accountId } = await createAccount(ctx, {
        name: "test",
        openTasksMax,
        priceBook,
      });
      const { key, keyId } = await createKey(ctx.db, { accountId, name: "test", ...limits });
      if (credits > 0) await grantCredits(ctx.pool, { accountId, credits, note: "test" });
      const { models = null, requestsPerMinuteMax = null, scopes = null } = limits;
      return {
        id: accountId,
        priceBook: priceBook ?? null,
        keyId,
        models,
        requestsPerMinuteMax,
        scopes,
        key,
      };
    },
    async [Symbol.asyncDispose]() {
      for (const opened of contexts) await opened.close();
      await database.drop();
      await scratch.remove();
    },
  };
}
