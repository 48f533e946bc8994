import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/**
 * Adds the builds for other platforms that npm left out of package-lock.json. A registry that does not
 * carry them makes npm forget them silently, and `npm ci` then refuses the file. Entries added here
 * have no integrity hash: they are never fetched on the platform that this was run on.
 */
interface LockEntry {
  version?: string;
  optional?: boolean;
  dev?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
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

const path = fileURLToPath(new URL("../../../package-lock.json", import.meta.url));
const lock = JSON.parse(await readFile(path, "utf8")) as { packages: Record<string, LockEntry> };
const added: string[] = [];
for (const parent of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const place = `node_modules/${name}`;
    if (lock.packages[place] !== undefined) continue;
    lock.packages[place] = {
      version,
      ...(parent.dev ? { dev: true } : {}),
      optional: true,
      ...platformOf(name),
    };
    added.push(name);
  }
}
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)),
);
await writeFile(path, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${added.length} added${added.length > 0 ? `: ${added.join(", ")}` : ""}\n`);

/** Platform packages say theirs in their name: `binding-linux-arm64-musl`. */
function platformOf(name: string): Pick<LockEntry, "os" | "cpu" | "libc"> {
  const words = name.split(/[/-]/);
  const system = systems.find((word) => words.includes(word));
  const processor = processors.find((word) => words.includes(word));
  return {
    ...(processor === undefined ? {} : { cpu: [processor] }),
    ...(system === undefined ? {} : { os: [system] }),
    ...(words.some((word) => word.startsWith("musl")) ? { libc: ["musl"] } : {}),
  };
}
