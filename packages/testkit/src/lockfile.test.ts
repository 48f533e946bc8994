import { glob, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { lockfiles } from "./lockfiles.ts";

interface Entry {
  version?: string;
  link?: boolean;
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
}

/**
 * Builds of development tools for other platforms that the registry did not carry when the lockfile was
 * made. `npm run lock` fills in what is carried; what has a hash must be removed here.
 */
const unverified: readonly string[] = [
  ...builds("@biomejs/cli-", "2.6.6", [
    "android-arm64",
    "android-x64",
    "darwin-arm64",
    "darwin-x64",
    "win32-arm64",
    "win32-x64",
  ]),
  ...builds("@oxc-parser/binding-", "0.155.0", [
    "android-arm-eabi",
    "android-arm64",
    "darwin-arm64",
    "darwin-x64",
    "freebsd-x64",
    "linux-arm-gnueabihf",
    "linux-arm-musleabihf",
    "linux-ppc64-gnu",
    "linux-riscv64-gnu",
    "linux-riscv64-musl",
    "linux-s390x-gnu",
    "openharmony-arm64",
    "win32-arm64-msvc",
    "win32-ia32-msvc",
    "win32-x64-msvc",
  ]),
  ...builds("@tailwindcss/oxide-", "4.3.5", [
    "android-arm64",
    "darwin-arm64",
    "darwin-x64",
    "freebsd-x64",
    "linux-arm-gnueabihf",
    "wasm32-wasi",
    "win32-arm64-msvc",
    "win32-x64-msvc",
  ]),
];

function builds(tool: string, version: string, platforms: readonly string[]): string[] {
  return platforms.map((platform) => `node_modules/${tool}${platform}@${version}`);
}

/** Packages that npm would install without knowing what they must contain. */
function withoutIntegrity(packages: Record<string, Entry>): string[] {
  return Object.entries(packages)
    .filter(([path, entry]) => path.includes("node_modules/") && !entry.link)
    .filter(([, { integrity = "" }]) => !integrity.startsWith("sha512-"))
    .filter(([path, entry]) => !isAllowed(path, entry))
    .map(([path]) => path);
}

function isAllowed(path: string, entry: Entry): boolean {
  const isListed = unverified.includes(`${path}@${entry.version}`);
  return isListed && entry.dev === true && entry.optional === true && !isInstalledHere(entry);
}

/** Whether the package is installed on the platforms where the service runs and is tested. */
function isInstalledHere({ os, cpu, libc }: Entry): boolean {
  const fits = (list: string[] | undefined, name: string) => list?.includes(name) ?? true;
  return fits(os, "linux") && fits(cpu, "x64") && fits(libc, "glibc");
}

interface Lockfile {
  name: string;
  text: string;
  packages: Record<string, Entry>;
}

const read: Lockfile[] = await Promise.all(
  lockfiles.map(async (name) => {
    const text = await readFile(new URL(`../../../${name}`, import.meta.url), "utf8");
    return { name, text, packages: (JSON.parse(text) as Lockfile).packages };
  }),
);

test("no lockfile of the repository is left out here, and none names the host of a registry", async () => {
  const root = fileURLToPath(new URL("../../../", import.meta.url));
  const exclude = (path: string) => path.endsWith("node_modules");
  const found: string[] = [];
  for await (const name of glob("**/package-lock.json", { cwd: root, exclude })) found.push(name);
  expect(found.toSorted()).toEqual([...lockfiles].toSorted());
  for (const { name, text } of read) expect(text, name).not.toMatch(/"resolved": "https?:/);
});

test.each(read)(
  "every package has an integrity hash, unless it is never installed on Linux x64: $name",
  ({ packages }) => {
    expect(withoutIntegrity(packages)).toEqual([]);
  },
);

test("a package that may lack a hash is in a lockfile and lacks it", () => {
  const lacking = read.flatMap(({ packages }) =>
    Object.entries(packages)
      .filter(([, { integrity }]) => integrity === undefined)
      .map(([path, { version }]) => `${path}@${version}`),
  );
  expect(unverified.filter((one) => !lacking.includes(one))).toEqual([]);
});

test.each(read)(
  "a package whose hash is missing is found, if it runs in production or on Linux x64: $name",
  ({ packages }) => {
    const paths = Object.entries(packages)
      .filter(([path, entry]) => path.includes("node_modules/") && entry.integrity !== undefined)
      .filter(([, entry]) => !entry.dev || isInstalledHere(entry))
      .map(([path]) => path);
    expect(paths).not.toEqual([]);
    for (const path of paths) {
      const { integrity: _, ...entry } = packages[path] ?? {};
      expect(withoutIntegrity({ [path]: entry }), path).toEqual([path]);
    }
  },
);

test("packages of production are in the root's node_modules, the only ones that the image has", () => {
  const places = read
    .filter(({ name }) => name === "package-lock.json")
    .flatMap(({ packages }) => Object.entries(packages))
    .filter(([place, { dev }]) => place.includes("node_modules/") && !dev)
    .map(([place]) => place);
  expect(places).not.toEqual([]);
  expect(places.filter((place) => !place.startsWith("node_modules/"))).toEqual([]);
});
