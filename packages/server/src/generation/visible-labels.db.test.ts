import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { sandboxVendors } from "@zoetrope/dev/sandbox-vendors.ts";
import { pattern, renderFile } from "@zoetrope/testkit/make-media.ts";
import { quickUpscale } from "@zoetrope/testkit/quick-upscale.ts";
import { type FileServer, serveFiles } from "@zoetrope/testkit/serve-files.ts";
import { startSandbox } from "@zoetrope/testkit/start-sandbox.ts";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chinaPolicy } from "../../test/harness/china-policy.ts";
import { claimOf } from "../../test/harness/claim-of.ts";
import { openSigningBed, type SigningBed } from "../../test/harness/signing-bed.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { workAllSegments } from "../../test/harness/work-all-segments.ts";
import type { Caller } from "../accounts/queries.ts";
import { inTransaction } from "../db/database.ts";
import type { StoredMedia } from "../db/tables/tasks.ts";
import { type AccountId, type LabelAgreementId, newId, type TaskId } from "../ids.ts";
import { endAgreements, insertAgreement, listFreedOutputs } from "../labels/agreements/queries.ts";
import { parseAigc } from "../labels/aigc.ts";
import { loadSigner } from "../labels/load-signer.ts";
import { readAigc } from "../labels/read-aigc.ts";
import { readManifest } from "../labels/read-manifest.ts";
import { signFile } from "../labels/sign-file.ts";
import { aigcInXmp } from "../labels/xmp.ts";
import { fetchObject } from "../media/storage/fetch-object.ts";
import { placeLabel } from "../media/visible-label.ts";
import { completeTask } from "../tasks/complete-task.ts";
import { findOpenTask } from "../tasks/open-task-queries.ts";
import { saveEnds } from "../tasks/queries.ts";
import { bindJob, claimSubmit } from "../tasks/submit-queries.ts";
import { createUpscale } from "../upscale/create-upscale.ts";
import { findUpscale } from "../upscale/queries.ts";
import type { CreateUpscaleBody } from "../upscale/schema.ts";
import { joinVideo } from "../upscale/segments/join-video.ts";
import { validateSource } from "../upscale/validate-source.ts";
import { collectMedia } from "./collect-media.ts";
import { createTask } from "./create-task.ts";
import { queryTask } from "./query-task.ts";
import { storeImage } from "./store-image.ts";
import { submitJob } from "./submit/submit-job.ts";

const run = promisify(execFile);
const theirs = {
  name: "theirs",
  kind: "ark",
  baseUrl: "http://127.0.0.1:9",
  apiKey: "none",
};

let signing: SigningBed;
let videos: FileServer;
let bed: TestBed;
beforeAll(async () => {
  signing = await openSigningBed();
  videos = await serveFiles({ dir: signing.dir });
  const segments = { UPSCALE_SEGMENT_MEGAPIXELS: "40", ...quickUpscale };
  bed = await openTestBed({ ...chinaPolicy, VENDORS: JSON.stringify([theirs]), ...segments });
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await videos[Symbol.asyncDispose]();
  await signing[Symbol.asyncDispose]();
});

const clip = { size: "320x180", rate: 10, seconds: 5 };
const render = (name: string) => renderFile(join(signing.dir, name), pattern(clip));

async function ended(
  path: string,
  { caller, upscaleResolution }: { caller?: Caller; upscaleResolution?: string } = {},
): Promise<TaskId> {
  const account = caller ?? (await bed.openAccount());
  const inputs = { prompt: "a fox", outputResolution: "1080p", upscaleResolution };
  const { taskId } = await createTask(bed.ctx, account, { model: "sd2", inputs }, null);
  await claimSubmit(bed.ctx.pool, { ...claimOf(taskId), vendorAccount: "theirs" });
  await bindJob(bed.ctx.pool, { taskId, jobId: randomUUID(), pollMs: 60_000 });
  const end = { taskId, resultUrl: videos.urlOf(path), failureCode: null, detail: null };
  await saveEnds(bed.ctx.pool, [end]);
  return taskId;
}

async function collected(taskId: TaskId, ctx = bed.ctx): Promise<StoredMedia> {
  const result = await collectMedia(ctx, taskId);
  if (result.kind !== "delivered") throw new Error(result.kind);
  return result.media;
}

async function upscaled(source: CreateUpscaleBody["source"], account?: Caller) {
  const caller = account ?? (await bed.openAccount());
  const request = { source, targetResolution: "1080p" } as const;
  const { taskId } = await createUpscale(bed.ctx, caller, request, null);
  expect(await validateSource(bed.ctx, taskId)).toEqual({ kind: "settled" });
  return taskId;
}

async function joined(taskId: TaskId): Promise<StoredMedia> {
  await workAllSegments(bed.ctx, taskId);
  const result = await joinVideo(bed.ctx, taskId);
  if (result.kind !== "delivered") throw new Error(result.kind);
  return result.media;
}

async function stored(key: string | undefined): Promise<string> {
  const path = join(signing.dir, `stored-${randomUUID()}`);
  await fetchObject(bed.ctx.storage, key ?? "", path);
  return path;
}

async function storedImage(path: string, { id: accountId, ...caller }: Caller) {
  const body = { model: "image-pro-2", inputs: { prompt: "a fox" } };
  const { taskId } = await createTask(bed.ctx, { id: accountId, ...caller }, body, null);
  const task = await findOpenTask(bed.ctx.db, taskId);
  await claimSubmit(bed.ctx.pool, claimOf(taskId));
  const { submitStartedAt: startedAt } = (await findOpenTask(bed.ctx.db, taskId)) ?? {};
  if (task === undefined || !startedAt) throw new Error("no submit");
  const result = await storeImage(bed.ctx, task, { taskId, accountId, startedAt }, path);
  if (result.kind !== "delivered") throw new Error(result.kind);
  return { taskId, media: result.media };
}

async function agree(accountId: AccountId): Promise<LabelAgreementId> {
  const id = newId<LabelAgreementId>(0);
  const agreement = {
    id,
    accountId,
    agreedBy: "Example Co.",
    agreedAt: new Date(),
    text: "We label what we publish.",
    recordedKind: "command" as const,
    recordedBy: "root",
  };
  await inTransaction(bed.ctx.db, (tx) => insertAgreement(tx, agreement));
  return id;
}

const endAgreement = (accountId: AccountId) =>
  endAgreements(bed.ctx.db, accountId, { kind: "command", by: "root", reason: "over" });

/** How much of the label's corner differs from a file without it, frame by frame, from 0 to 255. */
async function shownIn(path: string, before: string, sides: { width: number; height: number }) {
  const { width, height, margin } = placeLabel(sides);
  const crop = `crop=${width}:${height}:iw-${width + margin}:ih-${height + margin}`;
  const cornerOf = (input: number) =>
    `[${input}:v]scale=${sides.width}:${sides.height},${crop},format=gray,settb=1/25,setpts=N`;
  const print = "signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=-";
  const graph = `${cornerOf(0)}[a];${cornerOf(1)}[b];[a][b]blend=all_mode=difference,${print}`;
  const args = ["-v", "error", "-i", before, "-i", path, "-lavfi", graph, "-f", "null", "-"];
  const { stdout } = await run("ffmpeg", args, { maxBuffer: 10_000_000 });
  return [...stdout.matchAll(/YAVG=([\d.]+)/g)].map(([, value]) => Number(value));
}

async function producerOf(path: string) {
  return parseAigc((await readAigc(path, "video/mp4")) ?? "")?.["ContentProducer"];
}

test("a video of a vendor shows the label for two seconds, carries the implicit one, and so does its poster", async () => {
  const path = await render("plain.mp4");
  const account = await bed.openAccount();
  const taskId = await ended(path, { caller: account });
  const media = await collected(taskId);
  expect(media).toMatchObject({ labels: ["visible", "aigc"], width: 320, durationMs: 5_000 });
  const file = await stored(media.key);
  expect(await producerOf(file)).toBe("Zoetrope");
  const shown = await shownIn(file, path, media);
  expect(Math.min(...shown.slice(0, 20))).toBeGreaterThan(20);
  expect(Math.max(...shown.slice(20))).toBe(0);
  const poster = await stored(media.poster?.key);
  expect(Math.min(...(await shownIn(poster, path, media)).slice(0, 1))).toBeGreaterThan(20);
  await completeTask(bed.ctx, taskId, media);
  const view = await queryTask(bed.ctx, account, taskId);
  expect(view.output).toMatchObject([{ labels: ["visible", "aigc"] }]);
});

test("a video that ffmpeg cannot encode again is not delivered without the label: its task stays open", async () => {
  const path = join(signing.dir, "damaged.mp4");
  const bytes = await readFile(await render("whole.mp4"));
  const from = bytes.indexOf("mdat") + 4;
  bytes.fill(0, from + Math.floor(bytes.length / 4), from + Math.floor(bytes.length / 2));
  await writeFile(path, bytes);
  await using unlabelled = await openTestBed({ LABELS: "implicit" });
  const others = { ...bed.ctx, config: unlabelled.ctx.config };
  expect((await collected(await ended(path), others)).labels).toEqual(["aigc"]);
  const taskId = await ended(path);
  const before = await bed.database.sql("select key from media_objects");
  await expect(collectMedia(bed.ctx, taskId)).rejects.toThrow();
  expect(await bed.database.sql("select key from media_objects")).toEqual(before);
  expect(await findOpenTask(bed.ctx.db, taskId)).toBeDefined();
});

test("a vendor that is relied on draws the mark, unless the task was submitted before that", async () => {
  await using relying = await openTestBed({
    ...chinaPolicy,
    LABEL_VISIBLE_BY_VENDOR: "ark",
    VENDORS: JSON.stringify([theirs]),
  });
  const ctx = { ...bed.ctx, config: relying.ctx.config };
  const path = await render("relied.mp4");
  const [asked, earlier] = [await ended(path), await ended(path)];
  await bed.database.sql(
    "update open_tasks set submit_started_at = now() - interval '1 day' where task_id = $1",
    [earlier],
  );
  const [marked, drawn] = [await collected(asked, ctx), await collected(earlier, ctx)];
  expect([marked.labels, drawn.labels]).toEqual([
    ["visible", "aigc"],
    ["visible", "aigc"],
  ]);
  const [ofVendor, ofOurs] = [await stored(marked.key), await stored(drawn.key)];
  expect(Math.max(...(await shownIn(ofVendor, path, marked)))).toBe(0);
  expect(Math.min(...(await shownIn(ofOurs, path, drawn)).slice(0, 20))).toBeGreaterThan(20);
});

test("a vendor is asked for its mark where the operator relies on it, and nowhere else", async () => {
  await using sandbox = await startSandbox();
  const VENDORS = sandboxVendors(sandbox.url);
  const askedBy = async (settings: Record<string, string>) => {
    await using own = await openTestBed({ ...settings, VENDORS });
    const asked = new Map<string, unknown>();
    for (const model of ["sd2", "happyhorse"]) {
      const prompt = `a fox ${randomUUID()}`;
      const inputs = { prompt };
      const { taskId } = await createTask(
        own.ctx,
        await own.openAccount(),
        { model, inputs },
        null,
      );
      expect(await submitJob(own.ctx, taskId)).toEqual({ kind: "waiting" });
      const [create] = await sandbox.creates(prompt);
      asked.set(model, create?.watermark);
    }
    return Object.fromEntries(asked);
  };
  const none = { sd2: false, happyhorse: false };
  expect(await askedBy({ LABELS: "implicit" })).toEqual(none);
  expect(await askedBy(chinaPolicy)).toEqual(none);
  const relied = { ...chinaPolicy, LABEL_VISIBLE_BY_VENDOR: "dashscope" };
  expect(await askedBy(relied)).toEqual({ sd2: false, happyhorse: true });
  const both = { ...chinaPolicy, LABEL_VISIBLE_BY_VENDOR: "ark,dashscope" };
  expect(await askedBy(both)).toEqual({ sd2: true, happyhorse: true });
});

test("the manifest of a vendor is the parent of ours, from its bytes before the label", async () => {
  const { makeCertificates } = await loadSigner();
  const certificates = await makeCertificates({
    dir: join(signing.dir, "vendor"),
    organisation: "A Vendor",
    country: null,
    days: 9,
    issuerDir: signing.issuerDir,
  });
  const vendor = signing.openContext({
    LABEL_CERTIFICATE_FILE: certificates.certificateFile,
    LABEL_KEY_FILE: certificates.keyFile,
  });
  await using signs = await openTestBed({ ...chinaPolicy, ...signing.settings });
  const outputPath = join(signing.dir, "vendors-own.mp4");
  const input = { path: await render("unsigned.mp4"), contentType: "video/mp4" };
  const origin = { action: "created" as const, parent: null };
  await signFile(vendor, { input, outputPath, title: "theirs", origin, owner: "vendor" });
  const ctx = { ...bed.ctx, config: signs.ctx.config };
  const media = await collected(await ended(outputPath), ctx);
  expect(media.labels).toEqual(["visible", "aigc", "c2pa"]);
  expect(await readManifest(ctx, await stored(media.key), "video/mp4")).toMatchObject({
    isOurs: true,
    manifest: { failures: [], ingredients: [{ relationship: "parentOf", failures: [] }] },
  });
  // Without a certificate of ours the label comes first: theirs would not fit the file any more.
  const unsigned = await collected(await ended(outputPath));
  expect(unsigned.labels).toEqual(["visible", "aigc"]);
  expect(await readManifest(ctx, await stored(unsigned.key), "video/mp4")).toMatchObject({
    kind: "none",
  });
});

test("a generation with an upscale shows the label in the upscale, once, for two seconds", async () => {
  const path = await render("small.mp4");
  const taskId = await ended(path, { upscaleResolution: "2k" });
  expect(await collectMedia(bed.ctx, taskId)).toEqual({ kind: "waiting" });
  const source = await stored((await findUpscale(bed.ctx.db, taskId))?.sourceKey);
  expect(Math.max(...(await shownIn(source, path, { width: 320, height: 180 })))).toBe(0);
  const media = await joined(taskId);
  expect(media).toMatchObject({ labels: ["visible", "aigc"], width: 2560, height: 1440 });
  const file = await stored(media.key);
  const entries = ["-select_streams", "v", "-show_entries", "stream=pix_fmt", "-of", "csv=p=0"];
  expect((await run("ffprobe", ["-v", "error", ...entries, file])).stdout.trim()).toBe("yuv420p");
  const shown = await shownIn(file, path, media);
  expect(shown).toHaveLength(50);
  expect(Math.min(...shown.slice(0, 20))).toBeGreaterThan(20);
  expect(Math.max(...shown.slice(21))).toBeLessThan(12);
});

test("an upscale draws the label where its source is the work of a model and is not known to show it", async () => {
  const account = await bed.openAccount();
  const path = await render("source.mp4");
  const taskId = await ended(path, { caller: account });
  const media = await collected(taskId);
  await completeTask(bed.ctx, taskId, media);
  const labelOf = async (source: CreateUpscaleBody["source"]) => {
    const id = await upscaled(source, account);
    return (await findUpscale(bed.ctx.db, id))?.video.visibleLabel;
  };
  expect(await labelOf({ type: "task", taskId })).toBe("carried");
  const copy = join(signing.dir, "copy.mp4");
  await copyFile(await stored(media.key), copy);
  expect(await labelOf({ type: "url", url: videos.urlOf(copy) })).toBe("draw");
  expect(await labelOf({ type: "url", url: videos.urlOf(path) })).toBeUndefined();
});

test.each(["png", "jpeg", "webp"] as const)(
  "a %s is stored upright with the label, its profile and its marks",
  async (format) => {
    const path = join(signing.dir, `image.${format}`);
    const background = { r: 200, g: 120, b: 40 };
    const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:TC260="http://www.tc260.org.cn/ns/AIGC/1.0/"><TC260:AIGC>{"Label":"1","ContentProducer":"A Vendor"}</TC260:AIGC></rdf:Description></rdf:RDF></x:xmpmeta>`;
    await sharp({ create: { width: 640, height: 400, channels: 3, background } })
      .toFormat(format)
      .withMetadata({ orientation: 6 })
      .withIccProfile("p3")
      .withXmp(xmp)
      .toFile(path);
    const before = join(signing.dir, `before.${format}`);
    await copyFile(path, before);
    const { media } = await storedImage(path, await bed.openAccount());
    expect(media).toMatchObject({
      labels: ["visible", "aigc"],
      contentType: `image/${format}`,
      width: 400,
      height: 640,
    });
    const file = await stored(media.key);
    const { xmp: packet, icc, orientation = 1, ...facts } = await sharp(file).metadata();
    expect({ orientation, ...facts }).toMatchObject({
      format,
      orientation: 1,
      width: 400,
      height: 640,
    });
    expect(icc).toEqual((await sharp(before).metadata()).icc);
    const label = parseAigc(aigcInXmp(packet?.toString() ?? "") ?? "");
    expect(label).toMatchObject({ ContentProducer: "A Vendor", ContentPropagator: "Zoetrope" });
    const pixelsOf = async (
      of: string,
      region: { left: number; top: number; width: number; height: number },
    ) => {
      const upright = await sharp(of).autoOrient().keepIccProfile().png().toBuffer();
      const part = await sharp(upright).extract(region).keepIccProfile().png().toBuffer();
      const { channels } = await sharp(part).stats();
      return channels.slice(0, 3).map(({ mean }) => Math.round(mean));
    };
    const { width, height, margin } = placeLabel(media);
    expect(height * 0.63).toBeGreaterThanOrEqual(0.05 * 400);
    const corner = { left: 400 - width - margin, top: 640 - height - margin, width, height };
    const elsewhere = { left: 10, top: 10, width: 100, height: 100 };
    const [plain, kept] = [await pixelsOf(before, elsewhere), await pixelsOf(file, elsewhere)];
    for (const [at, value] of plain.entries())
      expect(Math.abs(value - (kept[at] ?? 0))).toBeLessThan(3);
    const [drawn] = await pixelsOf(file, corner);
    expect(Math.abs((drawn ?? 0) - (plain[0] ?? 0))).toBeGreaterThan(20);
    expect((await sharp(await stored(media.poster?.key)).metadata()).format).toBe("webp");
  },
);

test("what an account with an agreement makes has no visible label, and each output is recorded with the agreement", async () => {
  const path = await render("freed.mp4");
  const account = await bed.openAccount({ credits: 10_000 });
  const agreementId = await agree(account.id);
  const videoId = await ended(path, { caller: account });
  const video = await collected(videoId);
  const upscaledId = await ended(path, { caller: account, upscaleResolution: "2k" });
  expect(await collectMedia(bed.ctx, upscaledId)).toEqual({ kind: "waiting" });
  const image = join(signing.dir, "freed.png");
  const background = { r: 200, g: 120, b: 40 };
  await sharp({ create: { width: 640, height: 400, channels: 3, background } }).toFile(image);
  const picture = await storedImage(image, account);
  const outputs = new Map([
    [videoId, video],
    [upscaledId, await joined(upscaledId)],
    [picture.taskId, picture.media],
  ]);
  for (const [taskId, media] of outputs) {
    expect(media).toMatchObject({ labels: ["aigc"], labelAgreementId: agreementId });
    await completeTask(bed.ctx, taskId, media);
  }
  expect(Math.max(...(await shownIn(await stored(video.key), path, video)))).toBe(0);
  const recorded = await listFreedOutputs(bed.ctx.db, account.id, { before: null, rowsMax: 10 });
  expect(new Map(recorded.map(({ taskId, sha256 }) => [taskId, sha256]))).toEqual(
    new Map([...outputs].map(([taskId, { sha256 }]) => [taskId, sha256])),
  );
  await endAgreement(account.id);
  const after = await collected(await ended(path, { caller: account }));
  expect(after).toMatchObject({ labels: ["visible", "aigc"], labelAgreementId: undefined });
});

test("a vendor that was not asked for its mark because of an agreement that ended since is not relied on", async () => {
  await using relying = await openTestBed({
    ...chinaPolicy,
    LABEL_VISIBLE_BY_VENDOR: "ark",
    VENDORS: JSON.stringify([theirs]),
  });
  const ctx = { ...bed.ctx, config: relying.ctx.config };
  const account = await bed.openAccount({ credits: 10_000 });
  await agree(account.id);
  const path = await render("freed-since.mp4");
  const taskId = await ended(path, { caller: account });
  await endAgreement(account.id);
  const media = await collected(taskId, ctx);
  const shown = await shownIn(await stored(media.key), path, media);
  expect(Math.min(...shown.slice(0, 20))).toBeGreaterThan(20);
});
