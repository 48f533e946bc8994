import { fileURLToPath } from "node:url";
import { print } from "@zoetrope/testkit/print.ts";
import { runInNamespaces } from "../../kit/in-namespaces.ts";
import { listFaults, readFaults } from "./fault-list.ts";
import { shrink } from "./shrink.ts";

const inside = fileURLToPath(new URL("inside.ts", import.meta.url));

/** Everything at once, in a network of its own: many tasks while a fault comes every 15 to 20 s. */
export function runFull(size: "full" | "tenth", seed: number, faults: string): Promise<boolean> {
  if (faults !== "") readFaults(faults); // refused before anything is started
  return runInNamespaces(size, inside, [size, String(seed), faults]);
}

/** Repeats a failing `tenth` with fewer and fewer of its faults, for as long as it still fails. */
export async function runShrink(seed: number, faults: string): Promise<boolean> {
  if (faults === "") {
    print("Which faults did the failing run have? For example: shrink 17 1-38");
    return false;
  }
  const fails = async (kept: readonly number[]) =>
    !(await runFull("tenth", seed, listFaults(kept)));
  const repeat = (kept: readonly number[]) =>
    `npm run -s chaos -- tenth ${seed} ${listFaults(kept)}`;
  const all = readFaults(faults);
  if (!(await fails(all))) {
    print("The run has passed: there is nothing to cut down.");
    return false;
  }
  const kept = await shrink(all, fails, (fewer) => print(`It still fails: ${repeat(fewer)}`));
  print(`Repeat it with: ${repeat(kept)}`);
  print(`seed=${seed} faults=${all.length} kept=${kept.length}`);
  return true;
}
