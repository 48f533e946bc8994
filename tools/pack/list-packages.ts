import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** The parts of a package.json that packing reads. */
interface Manifest {
  readonly name: string;
  readonly version: string;
  /** The files that are published besides the built code. */
  readonly files?: readonly string[];
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, string>>;
  readonly engines?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly [member: string]: unknown;
}

export interface Package {
  /** The folder below `packages`. */
  readonly folder: string;
  readonly dir: string;
  readonly manifest: Manifest;
}

/** The packages that people install. Each contains the packages of this repository that it needs. */
export const published = ["sdk", "ai-sdk", "cli", "dev"] as const;

export type Published = (typeof published)[number];

/** The test kit is for this repository; reviewer and signer are installed on their own, and large. */
const neverBuilt = ["reviewer", "signer", "testkit"];

export async function listPackages(): Promise<Package[]> {
  const folders = (await readdir(join(root, "packages"))).filter(
    (folder) =>
      !neverBuilt.includes(folder) &&
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

/** The packages of this repository that `one` needs, and those that they need. */
export function ownDependencies(one: Package, all: readonly Package[]): Package[] {
  const found = new Set<Package>();
  const add = ({ manifest }: Package) => {
    for (const needed of all)
      if (manifest.dependencies?.[needed.manifest.name] !== undefined && !found.has(needed)) {
        found.add(needed);
        add(needed);
      }
  };
  add(one);
  return [...found];
}

/** Pages are built into files for browsers, which need nothing of npm. */
export function isPage({ dir }: Package): boolean {
  return existsSync(join(dir, "vite.config.ts"));
}

/** A library offers one module with types; the others are programs. */
export function isLibrary({ manifest }: Package): boolean {
  return manifest.exports?.["."] !== undefined;
}
