import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** The parts of a package.json that packing reads. */
interface Manifest {
  readonly name: string;
  readonly version: string;
  /** What is published besides the built code. */
  readonly files?: readonly string[];
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, string>>;
  readonly engines?: Readonly<Record<string, string>>;
  readonly [member: string]: unknown;
}

export interface Package {
  /** The folder below `packages`. */
  readonly folder: string;
  readonly dir: string;
  readonly manifest: Manifest;
}

/** The test kit is for this repository; the reviewer is installed on its own, with large models. */
const unpublished = ["reviewer", "testkit"];

export async function listPackages(): Promise<Package[]> {
  const folders = (await readdir(join(root, "packages"))).filter(
    (folder) =>
      !unpublished.includes(folder) &&
      existsSync(join(root, "packages", folder, "package.json")) &&
      existsSync(join(root, "packages", folder, "src")),
  );
  return Promise.all(
    folders.map(async (folder) => {
      const dir = join(root, "packages", folder);
      const text = await readFile(join(dir, "package.json"), "utf8");
      return { folder, dir, manifest: JSON.parse(text) as Manifest };
    }),
  );
}

/** Pages are built into files for browsers, which need nothing of npm. */
export function isPage({ dir }: Package): boolean {
  return existsSync(join(dir, "vite.config.ts"));
}

/** A library offers one module with types; the others are programs. */
export function isLibrary({ manifest }: Package): boolean {
  return manifest.exports?.["."] !== undefined;
}
