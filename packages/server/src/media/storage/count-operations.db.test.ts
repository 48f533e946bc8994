import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { expect, test } from "vitest";
import { openTestBed } from "../../../test/harness/test-context.ts";
import { measureFile } from "./fetch-object.ts";
import { newObjectKey } from "./storage.ts";

test("calls to the storage are counted by outcome, and a missing object is not a failure", async () => {
  await using bed = await openTestBed();
  await using scratch = await makeScratch("count");
  const { storage } = bed.ctx;
  const path = join(scratch.path, "file");
  await writeFile(path, "12345");
  const facts = { contentType: "image/png", ...(await measureFile(path)) };
  const key = newObjectKey("png");
  await storage.putFile(key, path, facts);
  await expect(storage.putFile(key, path, facts)).rejects.toThrow();
  expect(await storage.locate(newObjectKey("png"))).toBeNull();
  await rm(bed.storageDir, { recursive: true });
  await expect(storage.openRead(newObjectKey("png"))).rejects.toThrow();

  const text = await bed.ctx.renderMetrics();
  const count = (operation: string, outcome: string) =>
    `zoetrope_storage_operations_total{operation="${operation}",outcome="${outcome}"}`;
  expect(text).toContain(`${count("put", "done")} 1\n`);
  expect(text).toContain(`${count("put", "failed")} 1\n`);
  expect(text).toContain(`${count("locate", "done")} 1\n`);
  expect(text).toContain(`${count("locate", "failed")} 0\n`);
  expect(text).toContain(`${count("read", "failed")} 1\n`);
  expect(text).toContain("zoetrope_storage_written_bytes_total 5\n");
});
