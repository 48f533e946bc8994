/** Settings of a vendor account that a test may want shorter or smaller. */
export interface VendorTimes {
  readonly submitMsMax?: number;
  /** The maximum time of a submit to a vendor that responds with the result. */
  readonly directMsMax?: number;
  readonly lostMsMax?: number;
  readonly pollsPerSecond?: number;
}

/** Vendors that another sandbox plays, by kind. */
export type VendorUrls = Readonly<Partial<Record<(typeof vendors)[number]["kind"], string>>>;

const vendors = [
  { kind: "ark", path: "/api/v3", hasJobs: true },
  { kind: "dashscope", path: "/dashscope/api/v1", hasJobs: true },
  { kind: "openai", path: "/openai/v1", hasJobs: false },
  { kind: "gemini", path: "/gemini/v1beta", hasJobs: false },
] as const;

/**
 * The setting VENDORS with every vendor played by the sandbox: once for real keys, as development has
 * it, and once for test-mode keys, as a deployment offers it to its customers.
 */
export function sandboxVendors(
  sandboxUrl: string,
  times: VendorTimes = {},
  elsewhere: VendorUrls = {},
): string {
  const { directMsMax, ...jobTimes } = times;
  const directTimes = { submitMsMax: directMsMax };
  const account = (isTest: boolean) => (vendor: (typeof vendors)[number]) => ({
    name: isTest ? `test-${vendor.kind}` : vendor.kind,
    kind: vendor.kind,
    baseUrl: (elsewhere[vendor.kind] ?? sandboxUrl) + vendor.path,
    apiKey: `sandbox-${vendor.kind}-key`,
    isTest,
    ...(vendor.hasJobs ? jobTimes : directTimes),
    hasAssets: vendor.kind === "ark" ? true : undefined,
  });
  return JSON.stringify([...vendors.map(account(false)), ...vendors.map(account(true))]);
}

/** The setting ARK_ASSETS: the library of the vendor that the sandbox plays, for the reviewer `vendor`. */
export function sandboxAssets(sandboxUrl: string): string {
  return JSON.stringify({
    baseUrl: `${sandboxUrl}/ark-assets/`,
    accessKeyId: "sandbox-ark-access-key",
    secretAccessKey: "sandbox-ark-secret-key",
    region: "cn-beijing",
    groupName: "zoetrope",
  });
}
