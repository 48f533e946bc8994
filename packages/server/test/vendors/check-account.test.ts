import { controlSandbox } from "@zoetrope/testkit/sandbox-control.ts";
import { type Sandbox, startSandbox } from "@zoetrope/testkit/start-sandbox.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkVendorAccount } from "../../src/routing/check-vendor-account.ts";
import { vendorAccountsSchema } from "../../src/routing/vendor-accounts-setting.ts";

const paths = {
  ark: "/api/v3",
  dashscope: "/dashscope/api/v1",
  openai: "/openai/v1",
  gemini: "/gemini/v1beta",
} as const;

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox[Symbol.asyncDispose]());

test.each(Object.entries(paths))(
  "%s: a call that costs nothing tells a good key from a bad one, a wrong address and a host that is not there",
  async (kind, path) => {
    const check = async (baseUrl: string, apiKey: string) => {
      const [account] = vendorAccountsSchema.parse([{ name: "a", kind, baseUrl, apiKey }]);
      if (account === undefined) throw new Error("no account");
      return checkVendorAccount(account);
    };
    const good = await check(sandbox.url + path, `sandbox-${kind}-key`);
    expect(good).toEqual({ works: true, result: expect.stringContaining("accepts the key") });
    const bad = await check(sandbox.url + path, "hunter2");
    expect(bad).toEqual({ works: false, result: expect.stringMatching(/refuses the key/) });
    const wrong = await check(`${sandbox.url}/elsewhere`, `sandbox-${kind}-key`);
    expect(wrong).toEqual({ works: false, result: expect.stringContaining("check the base URL") });
    const absent = await check("http://127.0.0.1:9", "hunter2");
    expect(absent).toEqual({ works: false, result: expect.stringContaining("cannot be reached") });
    const { creates } = await controlSandbox(sandbox.control).readStats();
    expect(creates).toBe(0);
  },
);
