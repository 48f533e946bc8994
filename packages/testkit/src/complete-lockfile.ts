import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { lockfiles } from "./lockfiles.ts";

/**
 * Adds the builds for other platforms that npm left out of every package-lock.json. A registry that does not
 * carry them makes npm forget them silently, and `npm ci` then refuses the file. Every entry without an
 * integrity hash gets the one that the registry names; what it does not carry stays without, is listed,
 * and must be allowed in lockfile.test.ts.
 */
interface LockEntry {
  version?: string | undefined;
  link?: boolean;
  integrity?: string;
  optional?: boolean;
  dev?: boolean;
  os?: string[] | undefined;
  cpu?: string[] | undefined;
  libc?: string[] | undefined;
  optionalDependencies?: Record<string, string>;
}

const systems = [
  "linux",
  "darwin",
  "win32",
  "freebsd",
  "openbsd",
  "netbsd",
  "android",
  "sunos",
  "aix",
  "openharmony",
];
const processors = [
  "x64",
  "arm64",
  "arm",
  "ia32",
  "riscv64",
  "ppc64",
  "s390x",
  "loong64",
  "wasm32",
];

const root = fileURLToPath(new URL("../../../", import.meta.url));
for (const name of lockfiles) await completeLockfile(name);

async function completeLockfile(name: string): Promise<void> {
  const path = join(root, name);
  const lock = JSON.parse(await readFile(path, "utf8")) as { packages: Record<string, LockEntry> };
  const added = addPlatforms(lock.packages);
  lock.packages = Object.fromEntries(
    Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  const unverified = await addIntegrity(lock.packages);
  await writeFile(path, `${JSON.stringify(lock, null, 2)}\n`);
  const list = (names: string[]) => [names.length, ...names].join(" ");
  process.stdout.write(
    `${name}: added ${list(added)}; without an integrity hash ${list(unverified)}\n`,
  );
}

function addPlatforms(packages: Record<string, LockEntry>): string[] {
  const added: string[] = [];
  for (const parent of Object.values(packages)) {
    for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
      const path = `node_modules/${name}`;
      if (packages[path] !== undefined) continue;
      packages[path] = {
        version,
        ...(parent.dev ? { dev: true } : {}),
        optional: true,
        ...platformOf(name),
      };
      added.push(name);
    }
  }
  return added;
}

/** Returns the packages whose hash the registry does not know. */
async function addIntegrity(packages: Record<string, LockEntry>): Promise<string[]> {
  const unverified: string[] = [];
  for (const [path, entry] of Object.entries(packages)) {
    const name = path.split("node_modules/").at(-1) ?? "";
    if (!path.includes("node_modules/") || entry.link || entry.integrity !== undefined) continue;
    const integrity = await readIntegrity(name, entry.version ?? "");
    if (integrity === null) unverified.push(`${name}@${entry.version}`);
    else packages[path] = withIntegrity(entry, integrity);
  }
  return unverified;
}

/** Returns the entry with its hash after the version, in npm's order of members. */
function withIntegrity({ version, ...rest }: LockEntry, integrity: string): LockEntry {
  return { version, integrity, ...rest };
}

async function readIntegrity(name: string, version: string): Promise<string | null> {
  const { stdout } = await promisify(execFile)("npm", ["config", "get", "registry"]);
  const address = `${stdout.trim().replace(/\/+$/, "")}/${name.replace("/", "%2f")}/${version}`;
  const response = await fetch(address, { signal: AbortSignal.timeout(20_000) });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`the registry answered ${response.status} for ${name}`);
  const body = (await response.json()) as { dist?: { integrity?: string } };
  return body.dist?.integrity ?? null;
}

/** Platform packages have theirs in their name: `binding-linux-arm64-musl`. */
function platformOf(name: string): Pick<LockEntry, "os" | "cpu" | "libc"> {
  const words = name.split(/[/-]/);
  const system = systems.find((word) => words.includes(word));
  const processor = processors.find((word) => words.includes(word));
  return {
    cpu: processor === undefined ? undefined : [processor],
    os: system === undefined ? undefined : [system],
    libc: words.some((word) => word.startsWith("musl")) ? ["musl"] : undefined,
  };
}
