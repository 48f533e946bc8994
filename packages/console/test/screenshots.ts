import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { demoPrompts } from "@zoetrope/sandbox/demo-prompts.ts";
import { Zoetrope } from "@zoetrope/sdk";
import { inParallel } from "@zoetrope/testkit/in-parallel.ts";
import { print } from "@zoetrope/testkit/print.ts";
import type { Page } from "playwright-core";
import { type Bed, openBed } from "./harness/bed.ts";
import { promptOf, ready, submit } from "./harness/making.ts";
import { openVisit, type Variant, type Visit } from "./harness/visit.ts";

/**
 * Takes the screenshots of the documentation: `npm run console-screenshots`. Everything on them is real: a
 * service, its sandbox and a browser, in both colour schemes. Only the usage of earlier days is copied.
 */
const outDir = fileURLToPath(new URL("../../../docs/images/console/", import.meta.url));
const imageShare = 4;

/** A service whose gallery is worth a look. */
async function fillGallery(bed: Bed, key: string): Promise<string> {
  const client = new Zoetrope({ baseUrl: bed.origin, apiKey: key });
  const taskIds = await inParallel(4, [...demoPrompts].reverse(), async (prompt, at) => {
    const isImage = at % imageShare === 0;
    const task = isImage
      ? await client.run("image-plus-2", { prompt })
      : await client.run("sd2-fast", { prompt, duration: "5" });
    print(`${at + 1} of ${demoPrompts.length}`);
    return task.taskId;
  });
  return taskIds.at(-1) ?? "";
}

/** Keys as a customer has them. */
async function makeKeys({ bed, account: { accountId } }: Visit): Promise<void> {
  const create = (wanted: object) => bed.stack.admin("POST", `/accounts/${accountId}/keys`, wanted);
  await create({ name: "Render farm", scopes: ["tasks"], creditsMax: 5_000 });
  await create({ name: "Nightly report", scopes: ["account"] });
}

/** Usage of the last weeks, less of it on Sundays. */
async function copyUsage({ bed, account }: Visit): Promise<void> {
  await withClient(bed.stack.databaseOwnerUrl, (db) =>
    db.query(
      `insert into usage_days
       select id_floor(day), account_id, kind, model, key_id, status, tasks,
              (credits * (0.3 + 0.6 * abs(sin(n * 1.7 + length(model))))
                * case extract(dow from day) when 0 then 0.2 else 1 end)::bigint, video_ms
       from usage_days, generate_series(1, 27) n,
            lateral (select date_trunc('day', now(), 'UTC') - n * interval '1 day' as day) d
       where account_id = $1`,
      [account.accountId],
    ),
  );
}

/** A vendor account that is paused, and tasks on their way. */
async function makeBusy(bed: Bed): Promise<void> {
  const { key } = await bed.stack.openAccount({ name: "Pathé", credits: 1_000, openTasksMax: 3 });
  const client = new Zoetrope({ baseUrl: bed.origin, apiKey: key });
  for (const place of ["harbour", "market", "station"])
    await client.tasks.create({
      model: "sd2",
      inputs: { prompt: `A ${place} at dawn [sandbox:slow=600]` },
    });
  const name = "ark-reserve";
  await bed.stack.admin("POST", "/vendor-accounts", {
    name,
    kind: "ark",
    baseUrl: `${bed.stack.sandboxUrl}/api/v3`,
    apiKey: "sandbox-ark-key",
  });
  await bed.stack.admin("POST", `/vendor-accounts/${name}/pause`, {});
}

async function take(visit: Visit, name: string, path: string): Promise<void> {
  await visit.open(path);
  await shoot(visit, name);
}

/** The page as it is, once all that it loads is there. */
async function shoot({ bed, page, watch, variant }: Visit, name: string): Promise<void> {
  await watch.settle();
  await page.waitForFunction(
    () =>
      [...document.images].every(({ complete }) => complete) &&
      [...document.querySelectorAll("video")].every(({ readyState }) => readyState >= 2),
  );
  const png = join(bed.scratch.path, `${name}.png`);
  await writeFile(png, await stillImage(page));
  const webp = join(outDir, `${name}-${variant.scheme}.webp`);
  const args = ["-v", "error", "-y", "-i", png, "-c:v", "libwebp", "-quality", "85", webp];
  await promisify(execFile)("ffmpeg", args);
}

const lookMs = 500;

/** Returns a screenshot once two in a row are equal: a player shows for a moment that it loads. */
async function stillImage(page: Page): Promise<Buffer> {
  await page.mouse.move(0, 0);
  for (let before = await page.screenshot(); ; ) {
    await page.waitForTimeout(lookMs);
    const now = await page.screenshot();
    if (now.equals(before)) return now;
    before = now;
  }
}

/** A form that is filled in, and what came of it. */
async function make(visit: Visit, path: string, prompt: string, results: number): Promise<void> {
  const { page, open, type, press } = visit;
  await open(path);
  await type(promptOf(visit), prompt);
  await ready(page);
  await press(submit(page));
  await page
    .locator("article :is(img, video)")
    .nth(results - 1)
    .waitFor();
  await page.locator("h1").scrollIntoViewIfNeeded();
}

async function takeAll(bed: Bed, variant: Variant): Promise<void> {
  const visit = await openVisit(bed, { role: "owner" }, variant);
  const taskId = await fillGallery(bed, visit.account.key);
  await take(visit, "gallery", "/gallery");
  await take(visit, "task", `/tasks/${taskId}`);
  await make(visit, "/playground?model=sd2-fast", demoPrompts[2] ?? "", 1);
  await shoot(visit, "playground");
  await make(visit, "/compare?models=sd2-fast,happyhorse&duration=5", demoPrompts[4] ?? "", 2);
  await shoot(visit, "compare");
  await copyUsage(visit);
  await take(visit, "usage", "/usage");
  await makeKeys(visit);
  await take(visit, "keys", "/keys");
  await take(visit, "webhooks", "/webhooks?tab=events");
  await visit.context.close();
}

await using bed = await openBed({ isDraft: false });
await rm(outDir, { recursive: true, force: true });
await mkdir(outDir, { recursive: true });
const variants = (["light", "dark"] as const).map(
  (scheme): Variant => ({ language: "en", scheme, isKeyboard: false }),
);
for (const variant of variants) await takeAll(bed, variant);
await makeBusy(bed);
for (const variant of variants) {
  const visit = await openVisit(bed, { staffRole: "operator" }, variant);
  await take(visit, "status", "/operations");
  await visit.context.close();
}
print(`The screenshots are in ${outDir}`);
