import { expect, test } from "vitest";
import type { VendorAccount } from "../vendors/vendor.ts";
import { openVendorAccounts, routeOf, vendorAccountsSchema } from "./vendor-accounts-setting.ts";

const [plain] = vendorAccountsSchema.parse([
  { name: "ark", kind: "ark", baseUrl: "http://127.0.0.1:9", apiKey: "x" },
]);
const vendorAccount = (name: string, more: Partial<VendorAccount>): VendorAccount => {
  if (plain === undefined) throw new Error("no account");
  return { ...plain, name, ...more };
};
const task = { model: "sd2", isTest: false };
const namesOf = (vendorAccounts: VendorAccount[], random?: () => number) =>
  routeOf(openVendorAccounts(vendorAccounts), task, random).map(({ name }) => name);

test("accounts of the setting follow those with a weight, in their order; removed ones are left out and paused ones wait", () => {
  const vendorAccounts = [
    vendorAccount("setting-1", {}),
    vendorAccount("setting-2", {}),
    vendorAccount("spare", { weight: 0 }),
    vendorAccount("gone", { weight: 100, state: "removed" }),
    vendorAccount("paused", { weight: 100, state: "paused" }),
  ];
  expect(namesOf(vendorAccounts)).toEqual(["paused", "spare", "setting-1", "setting-2"]);
});

test("an account is tried first in proportion to its weight", () => {
  const vendorAccounts = [
    vendorAccount("one", { weight: 100 }),
    vendorAccount("three", { weight: 300 }),
  ];
  let state = 7;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const firsts = Array.from({ length: 4_000 }, () => namesOf(vendorAccounts, random)[0]);
  const share = firsts.filter((name) => name === "three").length / firsts.length;
  expect(share).toBeGreaterThan(0.72);
  expect(share).toBeLessThan(0.78);
});
