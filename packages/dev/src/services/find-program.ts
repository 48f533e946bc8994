import { access, constants, realpath } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { arch, platform } from "node:process";
import { postgresDirs } from "./find-postgres.ts";
import { pathDirs } from "./path-dirs.ts";

const DEBIAN_PACKAGES = {
  bwrap: "bubblewrap",
  ceph: "ceph-common",
  "ceph-mon": "ceph-mon",
  "ceph-osd": "ceph-osd",
  etcd: "etcd-server",
  ffmpeg: "ffmpeg",
  ffprobe: "ffmpeg",
  haproxy: "haproxy",
  initdb: "postgresql",
  monmaptool: "ceph-base",
  nft: "nftables",
  patroni: "patroni",
  pg_dump: "postgresql-client",
  pg_rewind: "postgresql",
  pgbackrest: "pgbackrest",
  pgbench: "postgresql",
  pgbouncer: "pgbouncer",
  postgres: "postgresql",
  prometheus: "prometheus",
  promtool: "prometheus",
  psql: "postgresql-client",
  radosgw: "radosgw",
  "radosgw-admin": "ceph-common",
  "restate-server": undefined,
  restatectl: undefined,
  setpriv: "util-linux",
} as const;

export type ProgramName = keyof typeof DEBIAN_PACKAGES;

/**
 * Returns the paths of all the named programs. Missing ones are listed in one error, with what to
 * install, so that nobody has to come back for each.
 */
export async function findPrograms<Name extends ProgramName>(
  names: readonly Name[],
): Promise<Record<Name, string>> {
  const found = await Promise.all(names.map(async (name) => [name, await find(name)] as const));
  const missing = found.flatMap(([name, path]) => (path === undefined ? [name] : []));
  if (missing.length > 0) throw new Error(missingText(missing));
  return Object.fromEntries(found) as Record<Name, string>;
}

export async function findOnPath(name: string): Promise<string | undefined> {
  return firstExecutable(pathDirs(), name);
}

async function find(name: ProgramName): Promise<string | undefined> {
  switch (name) {
    case "initdb":
    case "pg_rewind":
    case "pgbench":
    case "postgres":
      return findPostgres(name);
    case "restate-server":
    case "restatectl":
      return findRestate(name);
    default:
      // Debian keeps daemons in sbin, which is not on every user's PATH.
      return firstExecutable([...pathDirs(), "/usr/local/sbin", "/usr/sbin", "/sbin"], name);
  }
}

/**
 * All programs from one directory, or from where its links lead: an initdb and a postgres of different
 * versions do not mix.
 */
async function findPostgres(
  name: "initdb" | "pg_rewind" | "pgbench" | "postgres",
): Promise<string | undefined> {
  for (const dir of await postgresDirs()) {
    const [initdb, postgres] = await Promise.all(
      ["initdb", "postgres"].map((program) => firstExecutable([dir], program)),
    );
    if (initdb === undefined || postgres === undefined) continue;
    const program = await firstExecutable([dir, dirname(await realpath(postgres))], name);
    if (program !== undefined) return program;
  }
  return undefined;
}

/** The npm package of this platform first: its version is the one we test with. */
async function findRestate(name: "restate-server" | "restatectl"): Promise<string | undefined> {
  const manifest = `@restatedev/${name}-${platform}-${arch}/package.json`;
  try {
    const dir = dirname(createRequire(import.meta.url).resolve(manifest));
    return await firstExecutable([join(dir, "bin")], name);
  } catch {
    return findOnPath(name);
  }
}

async function firstExecutable(dirs: readonly string[], name: string): Promise<string | undefined> {
  for (const dir of dirs) {
    const path = join(dir, name);
    const isExecutable = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isExecutable) return path;
  }
  return undefined;
}

function missingText(missing: readonly ProgramName[]): string {
  const packages = [...new Set(missing.flatMap((name) => DEBIAN_PACKAGES[name] ?? []))];
  const lines = [`these programs are missing: ${missing.join(", ")}`];
  if (packages.length > 0) {
    lines.push(`  Debian: apt-get install --no-install-recommends ${packages.join(" ")}`);
  }
  for (const name of ["restate-server", "restatectl"] as const) {
    if (missing.includes(name))
      lines.push(
        `  ${name}: npm install (optional package @restatedev/${name}-${platform}-${arch}), or put one on PATH`,
      );
  }
  return lines.join("\n");
}
