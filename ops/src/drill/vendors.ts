import { controlSandbox } from "@zoetrope/testkit/sandbox-control.ts";
import type { AlertName } from "../alerts/alert-table.ts";
import { keepDoing } from "./keep-doing.ts";
import type { Drill, Scenario } from "./scenario.ts";

const vendor = "ark";

/** The vendor that the sandbox plays answers every create like this. */
const answers = (breaks: string, alert: AlertName, fault: string): Scenario => ({
  breaks,
  alert,
  labels: { vendor_account: vendor },
  async run({ stack, client }: Drill) {
    const sandbox = controlSandbox(stack.sandboxUrl);
    await sandbox.injectFault(vendor, fault, 100_000);
    const create = () => client.create("sd2", { prompt: "a paper boat" });
    const stop = keepDoing(async () => client.finished(await create(), 5_000), 1_000);
    return {
      async repair() {
        await stop();
        await sandbox.clearFaults();
        await client.finished(await create()); // the vendor is seen to work again
        await client.idle();
      },
    };
  },
});

export const vendors: readonly Scenario[] = [
  answers("a vendor account is overdue", "VendorAccountSick", "refuse=vendor_unavailable"),
  answers("a vendor takes no more work", "VendorAccountThrottled", "throttle"),
];
