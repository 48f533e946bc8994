import { fileURLToPath } from "node:url";
import { runInNamespaces } from "../../kit/in-namespaces.ts";

const inside = fileURLToPath(new URL("inside.ts", import.meta.url));

/** Measures how the engine's steps spread over workers behind one address, in a separate network. */
export function runSpread(windowSeconds: number): Promise<boolean> {
  return runInNamespaces("spread", inside, [String(windowSeconds)]);
}
