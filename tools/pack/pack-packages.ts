import { execFile } from "node:child_process";
import { cp, glob, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { isLibrary, listPackages, type Package, root } from "./list-packages.ts";
import { stagedManifest } from "./staged-manifest.ts";

const run = promisify(execFile);
const packMsMax = 600_000;

/** Builds every published package and writes its tarball to `dir`. The repository is not changed. */
export async function packPackages(dir: string): Promise<string[]> {
  const target = resolve(dir);
  const work = await mkdtemp(join(tmpdir(), "zoetrope-pack-"));
  try {
    const packages = await listPackages();
    // One run has declarations and is checked; programs are not: nobody imports their types.
    await build(work, "libraries", packages.filter(isLibrary));
    await build(
      work,
      "programs",
      packages.filter((one) => !isLibrary(one)),
    );
    for (const one of packages) await stage(work, one);
    await mkdir(target, { recursive: true });
    const staged = packages.map(({ folder }) => `./${folder}`);
    const { stdout } = await run(
      "npm",
      [
        "pack",
        "--json",
        "--ignore-scripts",
        "--loglevel=error",
        "--pack-destination",
        target,
      ].concat(staged),
      { cwd: join(work, "staged"), timeout: packMsMax, maxBuffer: 64 * 1024 * 1024 },
    );
    return readNames(stdout).map((name) => join(target, name));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** npm 10 and 11 answer a list, npm 12 an object by name. */
function readNames(json: string): string[] {
  const packed = Object.values(JSON.parse(json) as Record<string, { filename: string }>);
  return packed.map(({ filename }) => filename);
}

async function build(work: string, name: "libraries" | "programs", packages: readonly Package[]) {
  const config = join(work, `${name}.json`);
  const options = {
    extends: join(root, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      rootDir: join(root, "packages"),
      outDir: join(work, "built"),
      typeRoots: [join(root, "node_modules/@types")],
      rewriteRelativeImportExtensions: true,
      ...(name === "libraries" ? { declaration: true } : { noCheck: true }),
    },
    include: packages.map(({ dir }) => join(dir, "src")),
    exclude: ["**/*.test.ts"].map((pattern) => join(root, pattern)),
  };
  await writeFile(config, JSON.stringify(options));
  await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", config], {
    cwd: root,
    timeout: packMsMax,
  }).catch((error: { stdout?: string }) => {
    throw new Error(`the ${name} do not compile:\n${error.stdout ?? error}`);
  });
}

async function stage(work: string, from: Package): Promise<void> {
  const to = join(work, "staged", from.folder);
  const built = join(work, "built", from.folder, "src");
  await mkdir(to, { recursive: true });
  await cp(built, join(to, "dist"), { recursive: true });
  for await (const file of glob("**/*", { cwd: join(from.dir, "src"), withFileTypes: true })) {
    if (!file.isFile() || /\.(ts|md)$/.test(file.name)) continue;
    const path = join(file.parentPath, file.name);
    await cp(path, join(to, "dist", path.slice(join(from.dir, "src").length)));
  }
  const more = [...(from.manifest.files ?? []), "README.md"];
  for (const name of more)
    await cp(join(from.dir, name), join(to, name), { recursive: true }).catch(unlessMissing);
  await cp(join(root, "LICENSE"), join(to, "LICENSE"));
  await writeFile(join(to, "package.json"), `${JSON.stringify(stagedManifest(from), null, 2)}\n`);
  await refuseTypeScript(join(to, "dist"));
  await rewriteDeclarations(join(to, "dist"));
}

function unlessMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

/** The compiler rewrites the names of modules in code alone. */
async function rewriteDeclarations(dist: string): Promise<void> {
  for await (const name of glob("**/*.d.ts", { cwd: dist })) {
    const text = await readFile(join(dist, name), "utf8");
    await writeFile(
      join(dist, name),
      text.replace(/(["'])(\.{1,2}\/[\w./-]+)\.ts\1/g, "$1$2.js$1"),
    );
  }
}

/** Node strips no types below node_modules: a path such as `new URL("main.ts", …)` would fail there. */
async function refuseTypeScript(dist: string): Promise<void> {
  for await (const name of glob("**/*.js", { cwd: dist })) {
    const text = await readFile(join(dist, name), "utf8");
    const found = /["'`](?!@zoetrope\/)[\w./-]*\.ts["'`]/.exec(
      text.replace(/^\s*(\/?\*|\/\/).*$/gm, ""),
    );
    if (found !== null) throw new Error(`${name} names a TypeScript file: ${found[0]}`);
  }
}
