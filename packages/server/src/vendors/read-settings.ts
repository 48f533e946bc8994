import type { z } from "zod";
import type { Config } from "../config.ts";
import { faultsOf, refuseSettings, type Setting, type SettingFault } from "../setting.ts";
import { settings } from "../settings.ts";
import { vendorAccountsSchema } from "./accounts.ts";
import { arkAssetsSchema } from "./ark-assets/ark-assets.ts";
import { falSchema } from "./fal/fal.ts";

export type VendorSettings = ReturnType<typeof readVendorSettings>;

/** Checks the settings that are JSON, and reports every fault at once. */
export function readVendorSettings({ vendors, review, upscale }: Config) {
  const faults: SettingFault[] = [];
  const read = <Value>({ name }: Setting<unknown>, schema: z.ZodType<Value>, given: unknown) => {
    const parsed = schema.safeParse(given);
    if (!parsed.success) faults.push(...faultsOf(name, parsed.error));
    return parsed.data;
  };
  const accounts = read(settings.vendors.accounts, vendorAccountsSchema, vendors.accounts);
  const arkAssets = read(settings.review.arkAssets, arkAssetsSchema.nullable(), review.arkAssets);
  const upscaler = read(settings.upscale.vendor, falSchema.nullable(), upscale.vendor);
  if (accounts === undefined || arkAssets === undefined || upscaler === undefined)
    return refuseSettings(faults);
  return { accounts, arkAssets, upscaler };
}
