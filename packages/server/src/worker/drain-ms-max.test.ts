import { expect, test } from "vitest";
import { openVendorAccounts, vendorAccountsSchema } from "../routing/vendor-accounts-setting.ts";
import { drainMsMaxOf } from "./drain-ms-max.ts";

const vendors = (...vendorAccounts: { kind: string; submitMsMax: number }[]) =>
  openVendorAccounts(
    vendorAccountsSchema.parse(
      vendorAccounts.map((vendorAccount, index) => ({
        name: `vendor-${index}`,
        baseUrl: "http://127.0.0.1:9",
        apiKey: "none",
        ...vendorAccount,
      })),
    ),
  );

test("a worker drains as long as its longest direct submit and storing, up to the setting", () => {
  const far = { drainMsMax: 3_600_000 };
  expect(drainMsMaxOf(far, vendors())).toBe(25_000);
  expect(drainMsMaxOf(far, vendors({ kind: "ark", submitMsMax: 500_000 }))).toBe(25_000);
  const images = vendors(
    { kind: "openai", submitMsMax: 300_000 },
    { kind: "gemini", submitMsMax: 100_000 },
  );
  expect(drainMsMaxOf(far, images)).toBe(360_000);
  expect(drainMsMaxOf({ drainMsMax: 120_000 }, images)).toBe(120_000);
});
