import { z } from "zod";
import type { FreeCall, Vendor, VendorAccount } from "./vendor.ts";

/** A vendor that accounts can be with: one folder here, and one line in `catalogue.ts`. */
export interface VendorKind {
  /** The value of `kind` in the setting VENDORS. */
  kind: string;
  /** Reads the other settings of an account. */
  vendorAccountSchema: z.ZodType<VendorAccount>;
}

interface VendorAccountSettings {
  name: string;
  isTest: boolean;
  models: Readonly<Partial<Record<string, string>>>;
}

export function defineVendor<Settings extends VendorAccountSettings>(definition: {
  kind: string;
  settings: z.ZodType<Settings>;
  open(settings: NoInfer<Settings>): Vendor;
  /** A GET that costs nothing and that only a valid key can make. */
  freeCall(settings: NoInfer<Settings>): FreeCall;
  knowsAssets?(settings: NoInfer<Settings>): boolean;
}): VendorKind {
  const { kind, settings: schema, open, freeCall, knowsAssets = () => false } = definition;
  return {
    kind,
    vendorAccountSchema: schema.transform((settings) => ({
      name: settings.name,
      kind,
      isTest: settings.isTest,
      serves: (model) => settings.models[model] !== undefined,
      knowsAssets: knowsAssets(settings),
      vendor: open(settings),
      freeCall: () => freeCall(settings),
      state: "open" as const,
      weight: null,
      openJobsMax: null,
      creditsPerDayMax: null,
    })),
  };
}

/** The names that tasks have in place of a vendor account: upscaled here, or not submitted yet. */
const reservedNames = ["upscaler", "none"];
const name = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, {
    error: "must be 1 to 40 lower-case letters, digits and hyphens",
  })
  .refine((text) => !reservedNames.includes(text), {
    error: `must not be ${reservedNames.join(" or ")}`,
  });
const url = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ""));

/** The settings of an account with any vendor. `models`: ours that it serves, with the vendor's names. */
export function vendorAccountSettings(models: Readonly<Record<string, string>>) {
  return {
    name,
    baseUrl: url,
    apiKey: z.string().min(1),
    isTest: z.boolean().default(false),
    models: z
      .partialRecord(z.enum(Object.keys(models)), z.string().min(1).max(200))
      .default({ ...models }),
  };
}

export const milliseconds = z.int().min(1).max(600_000);
export const perSecond = z.int().min(1).max(500);
