import { stat } from "node:fs/promises";
import { join } from "node:path";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { expect, test } from "vitest";
import { labelCommands } from "./label-commands.ts";

const run = labelCommands["labels certificate"]?.run ?? expect.fail("there is no such command");

test("'labels certificate' makes the files that it names, and says what they are worth and need", async () => {
  await using scratch = await makeScratch("label-commands");
  const options = { dir: join(scratch.path, "made"), organisation: "Example Studio", days: "30" };
  const { facts, next } = await run(options);
  const { LABEL_CERTIFICATE_FILE, LABEL_KEY_FILE, root } = facts as Record<string, string>;
  for (const file of [LABEL_CERTIFICATE_FILE, LABEL_KEY_FILE, root])
    expect((await stat(String(file))).isFile()).toBe(true);
  expect(next).toContain(`keep ${join(options.dir, "issuing.key")} offline`);
  expect(next).toContain('"valid, not trusted"');
  expect(next).toContain("The official trust list of C2PA");
  await expect(run(options)).rejects.toThrow("is not empty");
  await expect(run({ ...options, days: "soon" })).rejects.toThrow("--days must be");
});
