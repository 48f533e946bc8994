import { readFaults } from "./fault-list.ts";
import { runInside } from "./run-inside.ts";

/** What `run-full.ts` starts in namespaces. */
const sizes = {
  full: { tasks: 100_000, accounts: 2_000, perSecond: 20 },
  tenth: { tasks: 10_000, accounts: 200, perSecond: 20 },
};
const [name = "", seed, faults = ""] = process.argv.slice(2);
const size = name === "full" ? sizes.full : sizes.tenth;
const only = faults === "" ? null : new Set(readFaults(faults));
process.exitCode = (await runInside({ name, ...size, seed: Number(seed), only })) ? 0 : 1;
