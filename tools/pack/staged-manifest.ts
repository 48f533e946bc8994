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
  "peerDependencies",
  "peerDependenciesMeta",
];

/**
 * The package.json of the tarball: what a published package needs, with `src/*.ts` become `dist/*.js`. The
 * packages of this repository that it `contains` are in the tarball, so that npm asks no registry for their
 * names, which might be somebody else's there.
 */
export function stagedManifest(
  from: Package,
  contains: readonly Package[],
): Record<string, unknown> {
  const { manifest } = from;
  const { name, version, bin, exports, files = [] } = manifest;
  const members = kept.flatMap((member) =>
    manifest[member] === undefined ? [] : [[member, manifest[member]] as const],
  );
  return {
    name,
    version,
    ...Object.fromEntries(members),
    files: ["dist", ...files],
    ...dependenciesOf(from, contains),
    bin: bin && mapValues(bin, builtPath),
    exports: exports && builtExports(exports, isLibrary(from)),
  };
}

/** The package.json of a package within the tarball of another, which has its dependencies. */
export function containedManifest(from: Package): Record<string, unknown> {
  const {
    peerDependencies: _peers,
    peerDependenciesMeta: _meta,
    ...manifest
  } = stagedManifest(
    { ...from, manifest: { ...from.manifest, dependencies: {}, optionalDependencies: {} } },
    [],
  );
  return manifest;
}

function dependenciesOf(from: Package, contains: readonly Package[]): Record<string, unknown> {
  const own = Object.fromEntries(contains.map(({ manifest }) => [manifest.name, manifest.version]));
  const merged = (member: "dependencies" | "optionalDependencies") => {
    const all: Record<string, string> = {};
    for (const { manifest } of [from, ...contains])
      for (const [name, version] of Object.entries(manifest[member] ?? {})) {
        if ((all[name] ?? version) !== version)
          throw new Error(`${manifest.name} needs ${name} ${version}, another part ${all[name]}`);
        all[name] = version;
      }
    return Object.keys(all).length === 0 ? {} : { [member]: all };
  };
  return {
    ...merged("dependencies"),
    ...merged("optionalDependencies"),
    bundleDependencies: contains.length === 0 ? undefined : Object.keys(own),
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
