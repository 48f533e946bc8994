import type { z } from "zod";
import type { Config } from "../settings/config.ts";
import {
  faultsOf,
  inPlainWords,
  refuseSettings,
  type Setting,
  type SettingFault,
} from "../settings/setting.ts";
import { settings } from "../settings/settings.ts";
import { arkAssetsSchema } from "../vendors/ark-assets/ark-assets.ts";
import { falSchema } from "../vendors/fal/fal.ts";
import { vendorAccountsSchema } from "./vendor-accounts-setting.ts";

export type VendorSettings = ReturnType<typeof readVendorSettings>;

/** The settings that are JSON, as they were read; undefined where one has been found not to be JSON. */
interface JsonSettings {
  vendors: { accounts: unknown };
  review: { arkAssets: unknown };
  upscale: { vendor: unknown };
}

/** Every fault of the settings that are JSON, for the list of all settings' faults. */
export function findVendorFaults(value: JsonSettings): SettingFault[] {
  return parseAll(value).faults;
}

export function readVendorSettings(config: Config) {
  const { accounts, arkAssets, upscaler, faults } = parseAll(config);
  if (accounts === undefined || arkAssets === undefined || upscaler === undefined)
    return refuseSettings(faults);
  return { accounts, arkAssets, upscaler };
}

function parseAll({ vendors, review, upscale }: JsonSettings) {
  const faults: SettingFault[] = [];
  const read = <Value>({ name }: Setting<unknown>, schema: z.ZodType<Value>, value: unknown) => {
    if (value === undefined) return undefined;
    const parsed = schema.safeParse(value, { error: inPlainWords });
    if (!parsed.success) faults.push(...faultsOf(name, parsed.error));
    return parsed.data;
  };
  return {
    accounts: read(settings.vendors.accounts, vendorAccountsSchema, vendors.accounts),
    arkAssets: read(settings.review.arkAssets, arkAssetsSchema.nullable(), review.arkAssets),
    upscaler: read(settings.upscale.vendor, falSchema.nullable(), upscale.vendor),
    faults,
  };
}
