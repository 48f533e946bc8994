import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeImage } from "@zoetrope/testkit/make-media.ts";
import { expect, onTestFinished, test } from "vitest";
import { openKeyedLog } from "../src/kit/keyed-log.ts";
import { assetSandbox } from "./ark-assets-support.ts";
import { fileServer } from "./media-support.ts";
import { cheap, sandboxForTest } from "./support.ts";

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), "sandbox-restart-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

test("jobs go on in the next sandbox of the folder: queued, running, over, expired meanwhile, erased", async () => {
  const dir = folder();
  const before = await sandboxForTest({ dir, runningMs: 3_600_000 });
  const running = await before.created(`a fox ${cheap}`);
  const over = await before.created("[sandbox:slow=0]", { resolution: "480p", duration: 4 });
  const erased = await before.created("[sandbox:slow=0] [sandbox:fail]");
  const doomed = await before.created("[sandbox:hang]", { execution_expires_after: 3_600 });
  await before.reaches(running, "running");
  await before.reaches(doomed, "running");
  const { content } = await before.reaches(over, "succeeded");
  await before.reaches(erased, "failed");
  await before.remove(erased);
  const { port } = new URL(before.linkUrl);
  await before.stop();

  const after = await sandboxForTest({ dir, linkPort: Number(port), expirySecondMs: 1 });
  expect((await after.jobs()).map(({ id }) => id)).toEqual([running, over, doomed]);
  expect((await fetch(content?.video_url ?? "")).status).toBe(200);
  await after.reaches(doomed, "expired");
  const next = await after.created(`a wolf ${cheap}`);
  expect((await after.jobs()).map(({ number }) => number)).toEqual([1, 2, 4, 5]);
  await after.stop();

  const last = await sandboxForTest({ dir });
  await last.reaches(next, "succeeded");
});

test("assets keep their files, and a review that was open begins again", async () => {
  const dir = folder();
  const { bytes, url } = await imageServer();
  const before = await assetSandbox({ dir, assetMs: 3_600_000 });
  const id = await before.register({ URL: `${url}/a.png`, Name: "[sandbox:slow=0]" });
  await before.becomes(id, "Active");
  const open = await before.register({ URL: `${url}/a.png` });
  await before.stop();

  const after = await assetSandbox({ dir, assetMs: 0 });
  const kept = await after.getAsset(id);
  expect(Buffer.from(await (await fetch(kept.URL)).arrayBuffer())).toEqual(bytes);
  await after.becomes(open, "Active");
});

async function imageServer() {
  const bytes = await makeImage("color=red:size=640x480");
  const { url } = await fileServer({ "/a.png": bytes });
  return { bytes, url };
}

test("the file of the jobs does not grow with their changes, and a line that was cut off is left out", () => {
  const path = join(folder(), "log.jsonl");
  const live = new Map<string, string>();
  const log = openKeyedLog<string>(path, () => live);
  const value = "x".repeat(500_000);
  for (let change = 0; change < 200; change++) {
    const key = String(change % 3);
    live.set(key, value + change);
    log.put(key, value + change);
  }
  log.put("large", "x".repeat(2 ** 20));
  log.remove("0");
  log.close();
  expect(statSync(path).size).toBeLessThan(20 * 2 ** 20);
  appendFileSync(path, '["1","cut o');
  const again = openKeyedLog<string>(path, () => live);
  expect([...again.restored.keys()].sort()).toEqual(["1", "2"]);
  expect(again.restored.get("1")).toBe(value + 199);
  again.close();
  expect(readFileSync(path, "utf8")).not.toContain("cut o");
});
