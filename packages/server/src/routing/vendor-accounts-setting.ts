import { z } from "zod";
import type { ModelRequest } from "../models/request.ts";
import { inPlainWords } from "../settings/setting.ts";
import { vendorKinds } from "../vendors/catalogue.ts";
import type { VendorKind } from "../vendors/define-vendor.ts";
import type { VendorAccount, VendorImageRules } from "../vendors/vendor.ts";

/** Reads accounts with these vendors, in the order in which they are asked. A fault names its place. */
export function vendorAccountsSchemaOf(kinds: readonly VendorKind[]): z.ZodType<VendorAccount[]> {
  const vendorAccount = z
    .looseObject({ kind: z.enum(kinds.map(({ kind }) => kind)) })
    .transform(({ kind, ...settings }, issues): VendorAccount => {
      const parsed = kinds
        .find((one) => one.kind === kind)
        ?.vendorAccountSchema.safeParse(settings, { error: inPlainWords });
      if (parsed?.success) return parsed.data;
      for (const { path, message } of parsed?.error.issues ?? [])
        issues.addIssue({ code: "custom", path: [...path], message });
      return z.NEVER;
    });
  return z.array(vendorAccount).superRefine((vendorAccounts, issues) => {
    const names = vendorAccounts.map(({ name }) => name);
    for (const [index, one] of names.entries())
      if (names.indexOf(one) !== index)
        issues.addIssue({ code: "custom", path: [index, "name"], message: "is used twice" });
  });
}

export const vendorAccountsSchema = vendorAccountsSchemaOf(vendorKinds);

export function openVendorAccounts(
  vendorAccounts: readonly VendorAccount[],
): ReadonlyMap<string, VendorAccount> {
  return new Map(vendorAccounts.map((vendorAccount) => [vendorAccount.name, vendorAccount]));
}

/** Returns the image rules that satisfy each of these accounts. */
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

/**
 * The accounts that a task may be sent to, first choice first: those of the database in an order that is
 * drawn by their weights, then those of the setting in its order. A paused account is among them, because
 * its tasks wait.
 */
export function routeOf(
  vendorAccounts: ReadonlyMap<string, VendorAccount>,
  task: { model: string; isTest: boolean },
  random: () => number = Math.random,
): VendorAccount[] {
  const serving = [...vendorAccounts.values()].filter(
    ({ isTest, state, serves }) =>
      isTest === task.isTest && state !== "removed" && serves(task.model),
  );
  // Efraimidis and Spirakis: the largest of u^(1/w) is drawn with a probability in proportion to w.
  const drawn = serving.map((vendorAccount) => {
    const { weight } = vendorAccount;
    const rank = weight === null ? -1 : weight === 0 ? 0 : random() ** (1 / weight);
    return { vendorAccount, rank };
  });
  return drawn.sort((a, b) => b.rank - a.rank).map(({ vendorAccount }) => vendorAccount);
}
