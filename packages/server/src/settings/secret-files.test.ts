import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readSecretFiles, readWithFiles } from "./secret-files.ts";
import { type Setting, secret, text } from "./setting.ts";
import { settings } from "./settings.ts";

const table = {
  group: {
    password: secret(text("PASSWORD")).about("A secret"),
    host: text("HOST", "localhost").about("No secret"),
  },
};
const read = (environment: Record<string, string>) => readWithFiles(table, environment);

let scratch: Awaited<ReturnType<typeof makeScratch>>;
beforeAll(async () => {
  scratch = await makeScratch("secret-files");
});
afterAll(() => scratch.remove());

async function file(name: string, content: string, mode = 0o600): Promise<string> {
  const path = join(scratch.path, name);
  await writeFile(path, content);
  await chmod(path, mode);
  return path;
}

test.each([
  ["hunter2", "hunter2"],
  ["hunter2\n", "hunter2"],
  ["hunter2\r\n", "hunter2"],
  ["hunter2\n\n", "hunter2\n"],
  [" hunter 2 ", " hunter 2 "],
])("a secret comes from its file without the last line break: %j", async (content, value) => {
  const path = await file("password", content);
  const { values, faults, warnings } = read({ PASSWORD_FILE: path, PASSWORD: "" });
  expect({ values, faults, warnings }).toEqual({
    values: { group: { password: value, host: "localhost" } },
    faults: [],
    warnings: [],
  });
});

test("a setting given twice, or as a file that is not there, empty or a folder, is one fault that repeats nothing", async () => {
  const folder = join(scratch.path, "folder-hunter2");
  await mkdir(folder);
  const twice = { PASSWORD: "hunter2", PASSWORD_FILE: await file("twice-hunter2", "hunter2") };
  const faults = [
    [twice, "set either PASSWORD or PASSWORD_FILE, not both"],
    [{ PASSWORD_FILE: join(scratch.path, "absent-hunter2") }, "there is no such file"],
    [{ PASSWORD_FILE: "hunter2" }, "there is no such file"], // the secret itself in the wrong place
    [{ PASSWORD_FILE: folder }, "is a folder, not a file"],
    [{ PASSWORD_FILE: await file("empty-hunter2", "\n") }, "the file is empty"],
    [{ PASSWORD_FILE: await file("large-hunter2", "x".repeat(1024 * 1024 + 1)) }, "1 MiB"],
  ] as const;
  for (const [environment, message] of faults) {
    const result = read(environment).faults;
    expect(result).toEqual([
      { path: ["PASSWORD_FILE"], message: expect.stringContaining(message) },
    ]);
    expect(JSON.stringify(result)).not.toContain("hunter2");
  }
});

test("a file that every user of the machine can use is read with a warning", async () => {
  for (const mode of [0o644, 0o602]) {
    const { values, warnings } = read({ PASSWORD_FILE: await file("open", "hunter2", mode) });
    expect(values.group.password).toBe("hunter2");
    expect(warnings).toEqual([
      { path: ["PASSWORD_FILE"], message: expect.stringContaining("chmod o-rw") },
    ]);
  }
  const closed = read({ PASSWORD_FILE: await file("closed", "hunter2", 0o640) });
  expect(closed.warnings).toEqual([]);
});

test("a setting that is no secret has no file", async () => {
  const { values } = read({ PASSWORD: "x", HOST_FILE: await file("host", "example.com") });
  expect(values.group.host).toBe("localhost");
});

test("every setting that holds a key, a password or a token is a secret", () => {
  const all = Object.values(settings).flatMap((group): Setting<unknown>[] => Object.values(group));
  expect(all.filter(({ isSecret }) => isSecret).map(({ name }) => name)).toEqual([
    "DATABASE_URL",
    "DATABASE_SESSION_URL",
    "SHARDS",
    "VENDOR_CALLBACK_SECRET",
    "KEY_RING",
    "OIDC_CLIENT_SECRET",
    "SMTP_URL",
    "S3_SECRET_ACCESS_KEY",
    "VENDORS",
    "LABEL_CERTIFICATE",
    "LABEL_KEY",
    "LABEL_KMS_TOKEN",
    "LABEL_TSA_URL",
    "UPSCALER",
    "ARK_ASSETS",
    "EGRESS_PROXY_URL",
  ]);
  expect(readSecretFiles(all, {}).faults).toEqual([]);
});
