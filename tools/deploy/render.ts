import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parse, parseAllDocuments } from "yaml";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));

export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec?: unknown;
}

/** The objects of an overlay, as `kubectl apply -k` would send them. */
export async function renderOverlay(name: string): Promise<KubernetesObject[]> {
  const folder = `${root}deploy/kubernetes/overlays/${name}`;
  const { stdout } = await run("kubectl", ["kustomize", folder], { maxBuffer: 16 * 1024 * 1024 });
  return parseAllDocuments(stdout).map((document) => document.toJS() as KubernetesObject);
}

/** A file that is merged into another: what it resets is not in it. */
export async function readCompose(path: string): Promise<unknown> {
  const reset = { tag: "!reset", resolve: () => null };
  const text = await readFile(`${root}${path}`, "utf8");
  const document = parse(text, { merge: true, customTags: [reset] }) as unknown;
  return JSON.parse(JSON.stringify(document, (_, value: unknown) => value ?? undefined));
}
