import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runIn } from "./run-in.ts";

test("the patch that adds an endpoint fits what is there", async () => {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const patch = "tools/endpoint/jobs-count.patch";
  await expect(runIn(root, "git", ["apply", "-C1", "--check", patch])).resolves.toBe("");
});
