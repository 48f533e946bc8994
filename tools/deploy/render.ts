import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parseAllDocuments } from "yaml";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));
const manifests = `${root}deploy/kubernetes`;

export const overlayNames = ["small", "production"] as const;
export type OverlayName = (typeof overlayNames)[number];

export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec?: unknown;
}

/**
 * Writes the output of `kubectl kustomize` for an overlay to a file, because neither Debian 12 nor
 * npm has a kubectl to render it with. The file names the sources that it was made from.
 */
export async function writeRendered(name: OverlayName): Promise<void> {
  const text = `# ${await digestOfSources(name)}\n${await render(name)}`;
  await writeFile(renderedPath(name), text);
}

export async function readRendered(name: OverlayName) {
  const text = await readFile(renderedPath(name), "utf8");
  const [, digest] = /^# (.+)$/m.exec(text) ?? [];
  return { digest, objects: objectsOf(text) };
}

/** Returns the digest of every file that the rendering reads. */
export async function digestOfSources(name: OverlayName): Promise<string> {
  const hash = createHash("sha256");
  for (const folder of ["base", `overlays/${name}`]) {
    for (const file of (await readdir(join(manifests, folder))).sort())
      hash.update(`${folder}/${file}\0`).update(await readFile(join(manifests, folder, file)));
  }
  return `sources sha256:${hash.digest("hex")}`;
}

export async function renderOverlay(name: OverlayName): Promise<KubernetesObject[]> {
  return objectsOf(await render(name));
}

function renderedPath(name: OverlayName): string {
  return join(manifests, "rendered", `${name}.yaml`);
}

/** Renders the objects as `kubectl apply -k` would send them. */
async function render(name: OverlayName): Promise<string> {
  const folder = join(manifests, "overlays", name);
  const { stdout } = await run("kubectl", ["kustomize", folder], { maxBuffer: 16 * 1024 * 1024 });
  return stdout;
}

function objectsOf(text: string): KubernetesObject[] {
  return parseAllDocuments(text).map((document) => document.toJS() as KubernetesObject);
}
