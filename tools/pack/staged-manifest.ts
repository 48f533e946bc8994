import { isLibrary, type Package } from "./list-packages.ts";

const kept = [
  "name",
  "version",
  "description",
  "keywords",
  "license",
  "homepage",
  "repository",
  "type",
  "sideEffects",
  "engines",
  "dependencies",
  "optionalDependencies",
  "peerDependencies",
  "peerDependenciesMeta",
];

/** The package.json of the tarball: what a published package needs, with `src/*.ts` become `dist/*.js`. */
export function stagedManifest(from: Package): Record<string, unknown> {
  const { manifest } = from;
  const { name, version, bin, exports, files = [] } = manifest;
  const members = kept.flatMap((member) =>
    manifest[member] === undefined ? [] : [[member, manifest[member]] as const],
  );
  return {
    ...{ name, version },
    ...Object.fromEntries(members),
    files: ["dist", ...files],
    ...(bin === undefined ? {} : { bin: mapValues(bin, builtPath) }),
    ...(exports === undefined ? {} : { exports: builtExports(exports, isLibrary(from)) }),
  };
}

function builtExports(exports: Readonly<Record<string, string>>, hasTypes: boolean) {
  const entries = Object.entries(exports).map(([name, target]) => {
    // The names of modules stay as the repository's code has them: `@zoetrope/server/main.ts`.
    if (target === "./src/*") return ["./*.ts", "./dist/*.js"] as const;
    if (!target.endsWith(".ts")) return [name, target] as const;
    const built = builtPath(target);
    const types = built.replace(/\.js$/, ".d.ts");
    return [name, hasTypes ? { types, default: built } : built] as const;
  });
  return Object.fromEntries(entries);
}

function builtPath(path: string): string {
  return path.replace(/^(\.\/)?src\//, "$1dist/").replace(/\.ts$/, ".js");
}

function mapValues(record: Readonly<Record<string, string>>, change: (value: string) => string) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
