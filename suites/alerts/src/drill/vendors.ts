import { controlSandbox } from "@zoetrope/testkit/sandbox-control.ts";
import type { AlertName } from "../alerts/alert-table.ts";
import { keepDoing } from "./keep-doing.ts";
import type { Drill, Scenario } from "./scenario.ts";

const vendor = "ark";
/** A model without a history of its times, so that what waits for the vendor is not slower than before. */
const model = "sd2-fast";

/** Returns a scenario in which the vendor that the sandbox plays responds to every create like this. */
const answers = (
  breaks: string,
  alert: AlertName,
  fault: string,
  noticed: Pick<Scenario, "noticedAs"> = {},
): Scenario => ({
  breaks,
  alert,
  ...noticed,
  labels: { vendor_account: vendor },
  async run({ stack, client }: Drill) {
    const sandbox = controlSandbox(stack.sandboxControl);
    await sandbox.injectFault(vendor, fault, 100_000);
    const create = () => client.create(model, { prompt: "a paper boat" });
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
  answers("a vendor account is overdue", "VendorAccountSick", "refuse=vendor_unavailable", {
    noticedAs: "ModelFailing",
  }),
  answers("a vendor takes no more work", "VendorAccountThrottled", "throttle"),
];
