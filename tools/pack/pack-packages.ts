import { execFile } from "node:child_process";
import { cp, glob, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { isLibrary, isPage, listPackages, type Package, root } from "./list-packages.ts";
import { stagedManifest } from "./staged-manifest.ts";

const run = promisify(execFile);
const packMsMax = 600_000;

/**
 * Builds the published packages, or those of the given folders, and writes their tarballs to `dir`. The
 * repository is not changed.
 */
export async function packPackages(dir: string, folders?: readonly string[]): Promise<string[]> {
  const target = resolve(dir);
  const work = await mkdtemp(join(tmpdir(), "zoetrope-pack-"));
  try {
    const packages = (await listPackages()).filter(
      ({ folder }) => folders === undefined || folders.includes(folder),
    );
    const programs = packages.filter((one) => !isPage(one));
    // Comments are in the declarations, where editors read them; in the code they would only be downloaded.
    await build(work, "code", programs);
    await build(work, "declarations", programs.filter(isLibrary)); // nobody imports a program's types
    for (const page of packages.filter(isPage)) await buildPage(work, page);
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

const outputs = {
  code: { noCheck: true, removeComments: true },
  declarations: { declaration: true, emitDeclarationOnly: true },
};

async function build(work: string, name: keyof typeof outputs, packages: readonly Package[]) {
  const config = join(work, `${name}.json`);
  const options = {
    extends: join(root, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      rootDir: join(root, "packages"),
      outDir: join(work, "built"),
      typeRoots: [join(root, "node_modules/@types")],
      rewriteRelativeImportExtensions: true,
      ...outputs[name],
    },
    include: packages.map(({ dir }) => join(dir, "src")),
    exclude: ["**/*.test.ts"].map((pattern) => join(root, pattern)),
  };
  await writeFile(config, JSON.stringify(options));
  await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", config], {
    cwd: root,
    timeout: packMsMax,
  }).catch((error: { stdout?: string }) => {
    throw new Error(`the ${name} cannot be built:\n${error.stdout ?? error}`);
  });
}

async function buildPage(work: string, { dir, folder }: Package): Promise<void> {
  const vite = join(root, "node_modules/vite/bin/vite.js");
  const out = ["--outDir", join(work, "built", folder, "src"), "--emptyOutDir"];
  await run(process.execPath, [vite, "build", "--logLevel", "error", ...out], {
    ...{ cwd: dir, timeout: packMsMax },
  });
}

async function stage(work: string, from: Package): Promise<void> {
  const to = join(work, "staged", from.folder);
  const built = join(work, "built", from.folder, "src");
  await mkdir(to, { recursive: true });
  await cp(built, join(to, "dist"), { recursive: true });
  if (!isPage(from)) await stageOtherFiles(from, to);
  const more = [...(from.manifest.files ?? []), "README.md"];
  for (const name of more)
    await cp(join(from.dir, name), join(to, name), { recursive: true }).catch(unlessMissing);
  await cp(join(root, "LICENSE"), join(to, "LICENSE"));
  await writeFile(join(to, "package.json"), `${JSON.stringify(stagedManifest(from), null, 2)}\n`);
  if (isPage(from)) return;
  await refuseTypeScript(join(to, "dist"));
  await rewriteDeclarations(join(to, "dist"));
}

/** What lies beside the code. */
async function stageOtherFiles(from: Package, to: string): Promise<void> {
  for await (const file of glob("**/*", { cwd: join(from.dir, "src"), withFileTypes: true })) {
    if (!file.isFile() || /\.(ts|md)$/.test(file.name)) continue;
    const path = join(file.parentPath, file.name);
    await cp(path, join(to, "dist", path.slice(join(from.dir, "src").length)));
  }
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
