import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const run = promisify(execFile);
const script = fileURLToPath(new URL("../../deploy/make-sbom.ts", import.meta.url));
const lockfile = fileURLToPath(new URL("../../node_modules/.package-lock.json", import.meta.url));
const status = `Package: ffmpeg
Status: install ok installed
Architecture: amd64
Version: 7:5.1.6-0+deb12u1

Package: gone
Status: deinstall ok config-files
Architecture: amd64
Version: 1
`;

test("the list of an image names what npm and dpkg installed, with hashes, and is the same each time", async () => {
  const dir = await mkdtemp(join(tmpdir(), "zoetrope-sbom-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  await writeFile(join(dir, "status"), status);
  const make = () => run(process.execPath, [script, lockfile, join(dir, "status")]);
  const [first, second] = [await make(), await make()];
  expect(first.stdout).toBe(second.stdout);
  const { bomFormat, specVersion, serialNumber, components } = JSON.parse(first.stdout);
  expect([bomFormat, specVersion]).toEqual(["CycloneDX", "1.6"]);
  expect(serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  const of = (name: string) => components.find((one: { name: string }) => one.name === name);
  expect(of("ffmpeg").purl).toBe(
    "pkg:deb/debian/ffmpeg@7%3A5.1.6-0%2Bdeb12u1?arch=amd64&distro=debian-12",
  );
  expect(of("gone")).toBeUndefined();
  expect(of("@restatedev/restate-sdk").purl).toMatch(/^pkg:npm\/%40restatedev\/restate-sdk@\d/);
  expect(of("fastify").hashes[0].content).toMatch(/^[0-9a-f]{128}$/);
  expect(of("fastify").licenses).toEqual([{ expression: "MIT" }]);
});
