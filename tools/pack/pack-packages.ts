import { execFile } from "node:child_process";
import { cp, glob, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";
import { buildWheel } from "./build-wheel.ts";
import {
  isLibrary,
  isPage,
  listPackages,
  ownDependencies,
  type Package,
  type Published,
  published,
  root,
} from "./list-packages.ts";
import { containedManifest, stagedManifest } from "./staged-manifest.ts";

const run = promisify(execFile);
const packMsMax = 600_000;
/** The folder that the package of the service on a laptop serves. */
const servedFolder = "clients";

/**
 * Builds the published packages, or some of them, and writes their tarballs to `dir`. Every tarball contains
 * what it needs of this repository. The one of the service on a laptop also contains the other tarballs and
 * the wheel, which it serves. The repository is not changed.
 */
export async function packPackages(
  dir: string,
  folders: readonly Published[] = published,
): Promise<string[]> {
  const target = resolve(dir);
  const work = await mkdtemp(join(tmpdir(), "zoetrope-pack-"));
  try {
    const all = await listPackages();
    const chosen = all.filter(({ folder }) => folders.some((one) => one === folder));
    const needed = all.filter(
      (one) =>
        chosen.includes(one) || chosen.some((from) => ownDependencies(from, all).includes(one)),
    );
    const programs = needed.filter((one) => !isPage(one));
    // Comments are in the declarations, where editors read them; in the code they would only be downloaded.
    await build(work, "code", programs);
    await build(work, "declarations", programs.filter(isLibrary)); // nobody imports a program's types
    for (const page of needed.filter(isPage)) await buildPage(work, page);
    for (const one of chosen) await stage(work, one, ownDependencies(one, all));
    await mkdir(target, { recursive: true });
    const clients = chosen.filter(({ folder }) => folder !== "dev");
    const packed = await npmPack(work, clients, target);
    const service = chosen.filter(({ folder }) => folder === "dev");
    if (service.length === 0) return packed;
    packed.push(await buildWheel(target));
    for (const path of packed)
      await cp(path, join(work, "staged/dev", servedFolder, basename(path)));
    return [...packed, ...(await npmPack(work, service, target))];
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function npmPack(
  work: string,
  packages: readonly Package[],
  target: string,
): Promise<string[]> {
  if (packages.length === 0) return [];
  const options = ["--json", "--ignore-scripts", "--loglevel=error", "--pack-destination", target];
  const { stdout } = await run(
    "npm",
    ["pack", ...options, ...packages.map(({ folder }) => `./${folder}`)],
    { cwd: join(work, "staged"), timeout: packMsMax, maxBuffer: 64 * 1024 * 1024 },
  );
  return readNames(stdout).map((name) => join(target, name));
}

/** Returns the names in npm's output: npm 10 and 11 print a list, npm 12 an object by name. */
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
    cwd: dir,
    timeout: packMsMax,
  });
}

async function stage(work: string, from: Package, contains: readonly Package[]): Promise<void> {
  const to = join(work, "staged", from.folder);
  await stageFiles(work, from, to, stagedManifest(from, contains));
  for (const one of contains)
    await stageFiles(
      work,
      one,
      join(to, "node_modules", one.manifest.name),
      containedManifest(one),
    );
}

async function stageFiles(work: string, from: Package, to: string, manifest: object) {
  const built = join(work, "built", from.folder, "src");
  await mkdir(to, { recursive: true });
  await cp(built, join(to, "dist"), { recursive: true });
  if (!isPage(from)) await stageOtherFiles(from, to);
  const more = [...(from.manifest.files ?? []), "README.md"];
  for (const name of more)
    await cp(join(from.dir, name), join(to, name), { recursive: true }).catch(unlessMissing);
  await cp(join(root, "LICENSE"), join(to, "LICENSE"));
  await writeFile(join(to, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  if (isPage(from)) return;
  await refuseTypeScript(join(to, "dist"));
  await rewriteDeclarations(join(to, "dist"));
}

/** Copies the files that lie beside the code. */
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
