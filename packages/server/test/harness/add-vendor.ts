import assert from "node:assert";
import { insertVendorAccount } from "../../src/routing/queries.ts";
import { storedCredentials } from "../../src/routing/read-vendor-account.ts";
import type { TestBed } from "./test-context.ts";

/** A vendor account of the database; nobody listens at its address. */
export async function addVendor({ ctx }: TestBed, name: string): Promise<string> {
  assert(ctx.keyRing !== null);
  await insertVendorAccount(ctx.db, {
    name,
    kind: "ark",
    settings: { baseUrl: "http://127.0.0.1:9" },
    models: null,
    weight: 100,
    openJobsMax: null,
    creditsPerDayMax: null,
    credentials: storedCredentials(ctx.keyRing, name, "hunter2"),
  });
  return name;
}
