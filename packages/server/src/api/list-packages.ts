import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The path below which the files of the clients are served. */
export const packagesPath = "/packages";

interface ClientPackage {
  /** The name by which programs import it. */
  name: string;
  summary: string;
  /** Returns the name of its file, with the version. */
  file: (version: string) => string;
  /** The command to type before its address. */
  installer: string;
}

const tarball = (name: string) => (version: string) => `${name}-${version}.tgz`;

/** The packages for customers, as `npm run pack` writes them. */
export const clientPackages = {
  typescript: {
    name: "@zoetrope/sdk",
    summary: "TypeScript and JavaScript: Node 22 and newer, Bun, Deno",
    file: tarball("zoetrope-sdk"),
    installer: "npm install",
  },
  python: {
    name: "zoetrope",
    summary: "Python 3.11 and newer, blocking and for asyncio",
    file: (version: string) => `zoetrope-${version}-py3-none-any.whl`,
    installer: "pip install",
  },
  cli: {
    name: "zoetrope",
    summary:
      "the command `zoetrope`, with an MCP server on standard input and output; Node 22 and newer",
    file: tarball("zoetrope"),
    installer: "npm install --global",
  },
  aiSdk: {
    name: "@zoetrope/ai-sdk",
    summary: "a provider for the AI SDK; Node 22 and newer",
    file: tarball("zoetrope-ai-sdk"),
    installer: "npm install",
  },
  dev: {
    name: "@zoetrope/dev",
    summary:
      "the whole service on a laptop, for `zoetrope dev`: install it beside the command; Node 24",
    file: tarball("zoetrope-dev"),
    installer: "npm install --global",
  },
} satisfies Record<string, ClientPackage>;

export type PackageId = keyof typeof clientPackages;

export const packageIds = Object.keys(clientPackages) as PackageId[];

/** Returns the file name of a package in a release; a release has one version for everything. */
export function packageFile(id: PackageId, version: string): string {
  return clientPackages[id].file(version);
}

export function packageUrl(publicUrl: string, file: string): string {
  return `${publicUrl}${packagesPath}/${file}`;
}

/** Returns the command that installs a client of this deployment. */
export function installCommand(publicUrl: string, id: PackageId, version: string): string {
  const url = packageUrl(publicUrl, packageFile(id, version));
  return `${clientPackages[id].installer} ${url}`;
}

export interface StoredPackage {
  id: PackageId;
  file: string;
  sizeBytes: number;
  sha256: string;
}

/** Returns the packages of this release that are in the folder. */
export async function listPresent(dir: string | null, version: string): Promise<PackageId[]> {
  if (dir === null || !existsSync(dir)) return [];
  const present = new Set(await readdir(dir));
  return packageIds.filter((id) => present.has(packageFile(id, version)));
}

/** The packages of this release that are in the folder. Their files are small and read whole. */
export async function readPackages(dir: string | null, version: string): Promise<StoredPackage[]> {
  if (dir === null) return [];
  const found = await listPresent(dir, version);
  return Promise.all(
    found.map(async (id) => {
      const file = packageFile(id, version);
      const bytes = await readFile(join(dir, file));
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      return { id, file, sizeBytes: bytes.length, sha256 };
    }),
  );
}
