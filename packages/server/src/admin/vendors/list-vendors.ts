import type { z } from "zod";
import {
  countOpenJobs,
  listVendorAccounts,
  readUse,
  type VendorAccountRow,
} from "../../routing/queries.ts";
import type { VendorsContext } from "../../tasks/context.ts";
import type { VendorAccount } from "../../vendors/vendor.ts";
import { msOf } from "../schema.ts";
import { countRecentSubmits, readSubmitTimes, type SubmitTimes } from "./queries.ts";
import type { vendorsAnswer } from "./schema.ts";

type Vendors = z.output<typeof vendorsAnswer>;

const openJobsShownMax = 10_000;

/**
 * The vendor accounts of the database, and those of the setting VENDORS that this process knows. They are
 * in the directory; what they do is what this shard has them do.
 */
export async function listVendors({ db, directory, vendors }: VendorsContext): Promise<Vendors> {
  const rows = (await listVendorAccounts(directory.db)).filter(
    ({ removedAt }) => removedAt === null,
  );
  const named = new Set(rows.map(({ name }) => name));
  const ofSetting = [...vendors.values()].filter(
    ({ name, state }) => !named.has(name) && state !== "removed",
  );
  const { since, submits } = await countRecentSubmits(db);
  const times = await readSubmitTimes(db);
  const items: Vendors["items"] = [];
  for (const about of [...rows.map(ofRow), ...ofSetting.map(viewVendorAccount)]) {
    const { creditsToday, failures, skippedUntil } = await readUse(db, about.name);
    const ofAccount = submits.filter(({ vendorAccount }) => vendorAccount === about.name);
    items.push({
      ...about,
      openJobs: await countOpenJobs(db, about.name, openJobsShownMax),
      creditsToday: about.creditsPerDayMax === null ? null : creditsToday,
      failures,
      skippedUntil: msOf(skippedUntil),
      submitMs: submitMsOf(times.find(({ vendorAccount }) => vendorAccount === about.name)),
      submits: Object.fromEntries(ofAccount.map(({ outcome, count }) => [outcome, count])),
    });
  }
  return { submitsSince: msOf(since), items };
}

function submitMsOf(times: SubmitTimes | undefined) {
  return times === undefined ? null : { median: times.medianMs, p95: times.p95Ms };
}

function ofRow(row: VendorAccountRow) {
  const { name, kind, models, weight, openJobsMax, creditsPerDayMax } = row;
  const { baseUrl, isTest } = row.settings;
  return {
    name,
    kind,
    models,
    weight,
    openJobsMax,
    creditsPerDayMax,
    source: "database" as const,
    state: row.pausedAt === null ? ("open" as const) : ("paused" as const),
    baseUrl: typeof baseUrl === "string" ? baseUrl : null,
    isTest: isTest === true,
  };
}

function viewVendorAccount(vendorAccount: VendorAccount) {
  const { name, state, isTest, weight, openJobsMax, creditsPerDayMax } = vendorAccount;
  return {
    name,
    state,
    isTest,
    weight,
    openJobsMax,
    creditsPerDayMax,
    kind: null,
    source: "setting" as const,
    baseUrl: null,
    models: null,
  };
}
