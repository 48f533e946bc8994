import { z } from "zod";
import type { ModelRequest } from "../models/request.ts";
import { createArk } from "./ark/ark.ts";
import { createDashScope } from "./dashscope/dashscope.ts";
import { createGemini } from "./gemini/gemini.ts";
import { createOpenAi } from "./openai/openai.ts";
import type { Vendor, VendorImageRules } from "./vendor.ts";

/** What tasks have in place of a vendor account: videos here are upscaled, or nobody has taken them. */
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
const id = z.string().min(1).max(200);
const milliseconds = z.int().min(1).max(600_000);
const perSecond = z.int().min(1).max(500);

const common = {
  name,
  baseUrl: url,
  apiKey: z.string().min(1),
  /** Serves the tasks of test-mode keys, and only those. */
  isTest: z.boolean().default(false),
};
const models = <Names extends string>(ids: Record<Names, string>) =>
  z
    .partialRecord(z.enum(Object.keys(ids) as [Names, ...Names[]]), id)
    .default(ids as Partial<Record<Names, string>>);

/** The accounts with vendors, in the order in which they are asked. */
export const vendorAccountsSchema = z
  .array(
    z.discriminatedUnion("kind", [
      z.strictObject({
        ...common,
        kind: z.literal("ark"),
        models: models({
          sd2: "dreamina-seedance-2-0-260128",
          "sd2-fast": "dreamina-seedance-2-0-fast-260128",
        }),
        submitMsMax: milliseconds.default(15_000),
        pollsPerSecond: perSecond.default(100),
        /** It belongs to the project of Ark's asset library: it knows assets by their ids there. */
        hasAssets: z.boolean().default(false),
        lostMsMax: milliseconds.default(60_000),
      }),
      z.strictObject({
        ...common,
        kind: z.literal("dashscope"),
        models: models({ happyhorse: "happyhorse-1.1" }), // the suffix of the mode is added
        submitMsMax: milliseconds.default(15_000),
        pollsPerSecond: perSecond.default(10),
        lostMsMax: milliseconds.default(600_000), // a job shows its prompt once the video is there
        /** Whether prompts name reference images `[Image 1]` rather than `character1`. */
        namesImages: z.boolean().default(true),
      }),
      z.strictObject({
        ...common,
        kind: z.literal("openai"),
        models: models({ "image-pro-2": "gpt-image-2" }),
        submitMsMax: milliseconds.default(300_000),
      }),
      z.strictObject({
        ...common,
        kind: z.literal("gemini"),
        models: models({ "image-plus-2": "gemini-3.1-flash-image" }),
        submitMsMax: milliseconds.default(300_000),
      }),
    ]),
  )
  .superRefine((accounts, issues) => {
    const names = accounts.map((account) => account.name);
    for (const [index, one] of names.entries())
      if (names.indexOf(one) !== index)
        issues.addIssue({ code: "custom", path: [index, "name"], message: "is used twice" });
  });

export type VendorSettings = z.output<typeof vendorAccountsSchema>[number];

export interface VendorAccount {
  name: string;
  isTest: boolean;
  serves(model: ModelRequest["model"]): boolean;
  /** Has the library in which a vendor's review registers assets. */
  knowsAssets: boolean;
  vendor: Vendor;
}

export function openVendorAccounts(settings: VendorSettings[]): ReadonlyMap<string, VendorAccount> {
  return new Map(settings.map((one) => [one.name, openVendorAccount(one)]));
}

function openVendorAccount(settings: VendorSettings): VendorAccount {
  const ids: Readonly<Record<string, string>> = settings.models;
  return {
    name: settings.name,
    isTest: settings.isTest,
    serves: (model) => ids[model] !== undefined,
    knowsAssets: settings.kind === "ark" && settings.hasAssets,
    vendor: openVendor(settings),
  };
}

function openVendor(settings: VendorSettings): Vendor {
  switch (settings.kind) {
    case "ark":
      return createArk(settings);
    case "dashscope":
      return createDashScope(settings);
    case "openai":
      return createOpenAi(settings);
    case "gemini":
      return createGemini(settings);
  }
}

/** What an image must be so that each of these accounts takes it. */
export function imageRulesOf(
  route: readonly VendorAccount[],
  request: ModelRequest,
): VendorImageRules | null {
  const rules = route.flatMap(({ vendor }) => vendor.imageRulesOf(request) ?? []);
  const [first, ...others] = rules;
  if (first === undefined) return null;
  return others.reduce(
    (strictest, one) => ({
      formats: strictest.formats.filter((format) => one.formats.includes(format)),
      shortSidePixelsMin: Math.max(strictest.shortSidePixelsMin, one.shortSidePixelsMin),
      sizeBytesMax: Math.min(strictest.sizeBytesMax, one.sizeBytesMax),
    }),
    first,
  );
}

/** The accounts that a task may be sent to, first choice first. */
export function routeOf(
  accounts: ReadonlyMap<string, VendorAccount>,
  task: { model: ModelRequest["model"]; isTest: boolean },
): VendorAccount[] {
  return [...accounts.values()].filter(
    (account) => account.isTest === task.isTest && account.serves(task.model),
  );
}
