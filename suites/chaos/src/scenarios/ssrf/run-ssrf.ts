import { fileURLToPath } from "node:url";
import { runInNamespaces } from "../../kit/in-namespaces.ts";

/** The program that runs in a namespace where this machine owns every address there is. */
const inside = fileURLToPath(new URL("inside.ts", import.meta.url));

export function runSsrf(seed: number): Promise<boolean> {
  return runInNamespaces("ssrf", inside, ["ssrf", String(seed)]);
}

/** Whether each clause of the guard is needed. */
export function runGuards(): Promise<boolean> {
  return runInNamespaces("guards", inside, ["guards"]);
}
