import { fileURLToPath } from "node:url";
import { runInNamespaces } from "../../kit/in-namespaces.ts";
import { readFaults } from "./fault-list.ts";

const inside = fileURLToPath(new URL("inside.ts", import.meta.url));

/** Runs everything at once, in a separate network: many tasks while a fault comes every 15 to 20 s. */
export function runTenth(seed: number, faults: string): Promise<boolean> {
  if (faults !== "") readFaults(faults); // refused before anything is started
  return runInNamespaces("tenth", inside, [String(seed), faults]);
}
