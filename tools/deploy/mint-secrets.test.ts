import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const run = promisify(execFile);
const script = fileURLToPath(new URL("../../deploy/mint-secrets.ts", import.meta.url));

async function makeFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "zoetrope-secrets-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  return dir;
}

async function mint(dir: string, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await run(process.execPath, [script, "--dir", dir, ...args]);
  return stdout + stderr;
}

async function readSecrets(dir: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const folder of await readdir(dir))
    for (const file of await readdir(join(dir, folder)))
      found[`${folder}/${file}`] = await readFile(join(dir, folder, file), "utf8");
  return found;
}

test("every start finds the secrets of the first one, and no two deployments share any", async () => {
  const [dir, other] = [await makeFolder(), await makeFolder()];
  await mint(dir, "--sandbox-url", "http://sandbox:8000");
  await mint(other, "--sandbox-url", "http://sandbox:8000");
  const first = await readSecrets(dir);
  const printed = await mint(dir, "--sandbox-url", "http://sandbox:8000");
  expect(await readSecrets(dir)).toEqual(first);
  expect(JSON.parse(printed)).toEqual({ event: "secrets.minted", made: [] });
  const second = await readSecrets(other);
  for (const [name, value] of Object.entries(first)) expect(second[name], name).not.toBe(value);
});

test("nothing that is minted is printed, or readable for others", async () => {
  const dir = await makeFolder();
  const printed = await mint(dir);
  for (const [name, value] of Object.entries(await readSecrets(dir))) {
    if (value !== "[]") expect(printed, name).not.toContain(value);
    expect((await stat(join(dir, name))).mode & 0o377, name).toBe(0);
  }
});

test("a secret that an operator has put there stays, and passwords are those in the URLs", async () => {
  const dir = await makeFolder();
  await mkdir(join(dir, "owner"));
  await writeFile(join(dir, "owner/DATABASE_OWNER_URL"), "postgres://mine");
  await mint(dir);
  expect((await readSecrets(dir))["owner/DATABASE_OWNER_URL"]).toBe("postgres://mine");
  const secrets = await readSecrets(dir);
  const { username, password } = new URL(secrets["service/DATABASE_URL"] ?? "");
  expect([username, password]).toEqual(["zoetrope_app", secrets["postgres/service-password"]]);
  expect(secrets["service/RESTATE_IDENTITY_KEY"]).toMatch(
    /^publickeyv1_[1-9A-HJ-NP-Za-km-z]{32,44}$/,
  );
  expect(secrets["engine/identity.pem"]).toContain("BEGIN PRIVATE KEY");
  expect(secrets["service/KEY_RING"]).toMatch(/^\d{4}-\d{2}-\d{2} [A-Za-z0-9+/]{43}=$/);
});

test("the sandbox serves test keys alone, with keys that no other sandbox has", async () => {
  const dir = await makeFolder();
  await mint(dir, "--sandbox-url", "http://sandbox:8000");
  const secrets = await readSecrets(dir);
  const vendors = JSON.parse(secrets["service/VENDORS"] ?? "") as Record<string, unknown>[];
  expect(vendors.map(({ isTest }) => isTest)).toEqual([true, true, true, true]);
  expect(vendors.map(({ apiKey }) => apiKey)).toContain(secrets["sandbox/SANDBOX_ARK_KEY"]);
  expect(JSON.stringify(secrets)).not.toContain("sandbox-ark-key");
});
