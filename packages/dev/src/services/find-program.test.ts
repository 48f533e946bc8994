import { realpath, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterEach, expect, test, vi } from "vitest";
import { findPrograms } from "./find-program.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

test("finds the real parts", async () => {
  const programs = await findPrograms(["initdb", "postgres", "restate-server", "radosgw"]);
  expect(programs.postgres).toMatch(/\/postgres$/);
  expect(programs["restate-server"]).toMatch(/\/restate-server$/);
});

test("finds PostgreSQL where Debian keeps it, though not on PATH", async () => {
  vi.stubEnv("PATH", "/nonexistent");
  const { initdb } = await findPrograms(["initdb"]);
  expect(initdb).toMatch(/^\/usr\/lib\/postgresql\/\d+\/bin\/initdb$/);
});

test("finds a program of PostgreSQL behind links to the others", async () => {
  await using scratch = await makeScratch("links");
  const { initdb, postgres } = await findPrograms(["initdb", "postgres"]);
  await symlink(await realpath(initdb), join(scratch.path, "initdb"));
  await symlink(await realpath(postgres), join(scratch.path, "postgres"));
  vi.stubEnv("PATH", scratch.path);
  const { pgbench } = await findPrograms(["pgbench"]);
  expect(pgbench).toBe(join(dirname(await realpath(postgres)), "pgbench"));
});

test("tells everything that is missing in one error", async () => {
  vi.stubEnv("PATH", "/nonexistent");
  await expect(findPrograms(["ceph", "ffmpeg", "ffprobe", "postgres"])).rejects.toThrow(
    "these programs are missing: ceph, ffmpeg, ffprobe\n" +
      "  Debian: apt-get install --no-install-recommends ceph-common ffmpeg",
  );
});
