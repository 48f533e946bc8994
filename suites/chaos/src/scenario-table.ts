import { randomInt } from "node:crypto";
import { runAccounts } from "./scenarios/accounts/run-accounts.ts";
import { runCallbacks } from "./scenarios/callbacks/run-callbacks.ts";
import { runNoisy } from "./scenarios/callbacks/run-noisy.ts";
import { runFailover } from "./scenarios/failover/run-failover.ts";
import { runFast } from "./scenarios/fast/run-fast.ts";
import { runMedia } from "./scenarios/media/run-media.ts";
import { runNodes } from "./scenarios/nodes/run-nodes.ts";
import { runOutages } from "./scenarios/outages/run-outages.ts";
import { runOverload } from "./scenarios/overload/run-overload.ts";
import { runPolling } from "./scenarios/polling/run-polling.ts";
import { runRestore } from "./scenarios/restore/run-restore.ts";
import { runShards } from "./scenarios/shards/run-shards.ts";
import { runSpread } from "./scenarios/spread/run-spread.ts";
import { runGuards, runSsrf } from "./scenarios/ssrf/run-ssrf.ts";
import { runStreaming } from "./scenarios/streaming/run-streaming.ts";
import { runTenants } from "./scenarios/tenants/run-tenants.ts";
import { runTenth } from "./scenarios/tenth/run-tenth.ts";
import { runUpgrade } from "./scenarios/upgrade/run-upgrade.ts";
import { runUpscale } from "./scenarios/upscale/run-upscale.ts";
import { runVendors } from "./scenarios/vendors/run-vendors.ts";
import { runWaiting } from "./scenarios/waiting/run-waiting.ts";

export interface Scenario {
  run(size: number, more: string): Promise<boolean>;
  /** The default argument; if absent, the scenario takes none. */
  usual?: number;
  max?: number;
}

const seed = { usual: randomInt(1, 1_000_000), max: 1_000_000 };
/** Every scenario by the words that name it. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  fast: { run: runFast, ...seed },
  waiting: { run: runWaiting, usual: 20_000, max: 200_000 },
  vendors: { run: runVendors, usual: 300, max: 5_000 },
  accounts: { run: runAccounts, usual: 4, max: 100 },
  polling: { run: runPolling, usual: 5_000, max: 50_000 },
  ssrf: { run: runSsrf, ...seed },
  guards: { run: runGuards },
  media: { run: runMedia },
  upscale: { run: runUpscale, usual: 120, max: 600 },
  callbacks: {
    run: (tasks) => runCallbacks({ tasks, endsPerSecond: 200, killEveryMs: null }),
    usual: 100_000,
    max: 1_000_000,
  },
  "callbacks kills": {
    run: (tasks) => runCallbacks({ tasks, endsPerSecond: 80, killEveryMs: 2_000 }),
    usual: 2_000,
    max: 1_000_000,
  },
  "callbacks noisy": { run: runNoisy, usual: 20_000, max: 100_000 },
  tenants: { run: runTenants, usual: 300, max: 3_600 },
  outages: { run: runOutages, usual: 180, max: 1_800 },
  upgrade: { run: runUpgrade, usual: 500, max: 5_000 },
  failover: { run: runFailover, usual: 400, max: 100_000 },
  nodes: { run: runNodes, usual: 600, max: 3_600 },
  spread: { run: runSpread, usual: 10, max: 120 },
  shards: { run: runShards, usual: 12, max: 1_000 },
  tenth: { run: runTenth, ...seed },
  overload: { run: runOverload, usual: 300, max: 3_600 },
  restore: { run: runRestore },
  streaming: { run: runStreaming },
};
