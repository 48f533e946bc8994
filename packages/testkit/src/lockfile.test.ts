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
 * made. A new version of one of these must be removed here; `npm run lock` fills in what is carried.
 */
const unverified: readonly RegExp[] = [
  /^node_modules\/@biomejs\/cli-[\w-]+@2\.6\.6$/,
  /^node_modules\/@oxc-parser\/binding-[\w-]+@0\.155\.0$/,
  /^node_modules\/@tailwindcss\/oxide-[\w-]+@4\.3\.5$/,
  /^node_modules\/@rolldown\/binding-[\w-]+@1\.2\.19$/,
];

/** Packages that npm would install without knowing what they must contain. */
function withoutIntegrity(packages: Record<string, Entry>): string[] {
  return Object.entries(packages)
    .filter(([place, entry]) => place.includes("node_modules/") && !entry.link)
    .filter(([, { integrity = "" }]) => !integrity.startsWith("sha512-"))
    .filter(([place, entry]) => !isAllowed(place, entry))
    .map(([place]) => place);
}

function isAllowed(place: string, entry: Entry): boolean {
  const isListed = unverified.some((pattern) => pattern.test(`${place}@${entry.version}`));
  return isListed && entry.dev === true && entry.optional === true && !isInstalledHere(entry);
}

/** Where the service runs and is tested. */
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

test.each(read)(
  "a package whose hash is missing is found, if it runs in production or on Linux x64: $name",
  ({ packages }) => {
    const places = Object.entries(packages)
      .filter(([place, entry]) => place.includes("node_modules/") && entry.integrity !== undefined)
      .filter(([, entry]) => !entry.dev || isInstalledHere(entry))
      .map(([place]) => place);
    expect(places).not.toEqual([]);
    for (const place of places) {
      const { integrity: _, ...entry } = packages[place] ?? {};
      expect(withoutIntegrity({ [place]: entry }), place).toEqual([place]);
    }
  },
);
