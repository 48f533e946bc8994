import { alike, openAccounts } from "@zoetrope/dev/open-accounts.ts";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import type { Env } from "@zoetrope/dev/start-server.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { Agent } from "undici";
import type { Customer } from "../customer.ts";
import { type InstantVendor, startInstantVendor, type VendorFiles } from "../instant-vendor.ts";

/** What a measurement needs of a service: a customer with keys, and the vendor behind it. */
export interface Service {
  readonly customer: Customer;
  readonly vendor: InstantVendor;
  readonly keys: readonly string[];
}

export interface StartedService extends Service, AsyncDisposable {
  readonly stack: Stack;
}

interface Options {
  readonly files: VendorFiles;
  /** The number of accounts; many, where no account's lock must be waited for. */
  readonly accounts: number;
  /** Another copy of the server's package; null: this one. */
  readonly serverDir: string | null;
  /** The copy whose schema the database has, this one unless given. */
  readonly schemaDir?: string;
  /** More settings of api and worker. */
  readonly env?: Env;
}

const accountPlan = { name: "bench", credits: 100_000_000, openTasksMax: 1_000_000 };

/** Starts a whole stack of its own behind an instant vendor, and opens its accounts. */
export async function startService(options: Options): Promise<StartedService> {
  const { serverDir, schemaDir, env = {} } = options;
  await using started = new AsyncDisposableStack();
  const scratch = started.use(await makeScratch("service"));
  const vendor = started.use(await startInstantVendor(options.files));
  const stack = started.use(
    await startStack({
      dir: scratch.path,
      serverDir: serverDir ?? undefined,
      schemaDir,
      serverEnv: { ...vendor.env, LOG_LEVEL: "info", ...env },
    }),
  );
  const plans = alike(options.accounts, accountPlan);
  const accounts = await openAccounts(stack.databaseOwnerUrl, plans);
  const agent = new Agent({ connections: 256 });
  started.defer(() => agent.destroy());
  const all = started.move();
  return {
    stack,
    customer: { apiUrl: stack.apiUrl, agent, callbackUrl: vendor.callbackUrl },
    vendor,
    keys: accounts.map(({ key }) => key),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
