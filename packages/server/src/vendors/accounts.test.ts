import { expect, test } from "vitest";
import { openVendorAccounts, routeOf, vendorAccountsSchema } from "./accounts.ts";
import type { VendorAccount } from "./vendor.ts";

const [plain] = vendorAccountsSchema.parse([
  { name: "ark", kind: "ark", baseUrl: "http://127.0.0.1:9", apiKey: "x" },
]);
const account = (name: string, more: Partial<VendorAccount>): VendorAccount => {
  if (plain === undefined) throw new Error("no account");
  return { ...plain, name, ...more };
};
const task = { model: "sd2", isTest: false };
const namesOf = (accounts: VendorAccount[], random?: () => number) =>
  routeOf(openVendorAccounts(accounts), task, random).map(({ name }) => name);

test("accounts of the setting follow those with a weight, in their order; removed ones are left out and paused ones wait", () => {
  const accounts = [
    account("setting-1", {}),
    account("setting-2", {}),
    account("spare", { weight: 0 }),
    account("gone", { weight: 100, state: "removed" }),
    account("paused", { weight: 100, state: "paused" }),
  ];
  expect(namesOf(accounts)).toEqual(["paused", "spare", "setting-1", "setting-2"]);
});

test("an account is tried first in proportion to its weight", () => {
  const accounts = [account("one", { weight: 100 }), account("three", { weight: 300 })];
  let state = 7;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const firsts = Array.from({ length: 4_000 }, () => namesOf(accounts, random)[0]);
  const share = firsts.filter((name) => name === "three").length / firsts.length;
  expect(share).toBeGreaterThan(0.72);
  expect(share).toBeLessThan(0.78);
});
