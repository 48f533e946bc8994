import { readFaults } from "./fault-list.ts";
import { runInside } from "./run-inside.ts";

/** The program that `run-tenth.ts` starts in namespaces. */
const [seed, faults = ""] = process.argv.slice(2);
const only = faults === "" ? null : new Set(readFaults(faults));
process.exitCode = (await runInside({ seed: Number(seed), only })) ? 0 : 1;
