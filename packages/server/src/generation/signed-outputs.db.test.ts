import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pattern, renderFile } from "@zoetrope/testkit/make-media.ts";
import { quickUpscale } from "@zoetrope/testkit/quick-upscale.ts";
import { type FileServer, serveFiles } from "@zoetrope/testkit/serve-files.ts";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { claimOf } from "../../test/harness/claim-of.ts";
import { openSigningBed, type SigningBed } from "../../test/harness/signing-bed.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { workAllSegments } from "../../test/harness/work-all-segments.ts";
import type { StoredMedia } from "../db/tables/tasks.ts";
import type { TaskId } from "../ids.ts";
import { parseAigc } from "../labels/aigc.ts";
import { loadSigner } from "../labels/load-signer.ts";
import { readAigc } from "../labels/read-aigc.ts";
import { readManifest } from "../labels/read-manifest.ts";
import { signFile } from "../labels/sign-file.ts";
import { aigcInXmp } from "../labels/xmp.ts";
import { fetchObject } from "../media/storage/fetch-object.ts";
import { findOpenTask } from "../tasks/open-task-queries.ts";
import { saveEnds } from "../tasks/queries.ts";
import { bindJob, claimSubmit } from "../tasks/submit-queries.ts";
import { createUpscale } from "../upscale/create-upscale.ts";
import { joinVideo } from "../upscale/segments/join-video.ts";
import { validateSource } from "../upscale/validate-source.ts";
import { collectMedia } from "./collect-media.ts";
import { createTask } from "./create-task.ts";
import { storeImage } from "./store-image.ts";

const termOf = (name: string) => `http://cv.iptc.org/newscodes/digitalsourcetype/${name}`;
const generated = termOf("trainedAlgorithmicMedia");

let signing: SigningBed;
let videos: FileServer;
let bed: TestBed;
let vendor: ReturnType<SigningBed["openContext"]>;
beforeAll(async () => {
  signing = await openSigningBed();
  videos = await serveFiles({ dir: signing.dir });
  bed = await openTestBed({ ...signing.settings, ...quickUpscale });
  const { makeCertificates } = await loadSigner();
  const theirs = await makeCertificates({
    dir: join(signing.dir, "vendor"),
    organisation: "A Vendor",
    country: null,
    days: 9,
    issuerDir: signing.issuerDir,
  });
  vendor = signing.openContext({
    LABEL_CERTIFICATE_FILE: theirs.certificateFile,
    LABEL_KEY_FILE: theirs.keyFile,
  });
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await videos[Symbol.asyncDispose]();
  await signing[Symbol.asyncDispose]();
});

const make = (name: string, options: readonly string[] = []) =>
  renderFile(join(signing.dir, name), [
    ...pattern({ size: "160x90", rate: 5, seconds: 2 }),
    ...options,
  ]);

/** A copy that the vendor has signed. */
async function signedByVendor(path: string, contentType: string): Promise<string> {
  const outputPath = join(signing.dir, `vendors-${randomUUID()}`);
  const origin = { action: "created" as const, parent: null };
  const input = { path, contentType };
  await signFile(vendor, { input, outputPath, title: "theirs", origin, owner: "vendor" });
  return outputPath;
}

async function collected(path: string): Promise<{ taskId: TaskId; media: StoredMedia }> {
  const account = await bed.openAccount();
  const inputs = { prompt: "a fox", outputResolution: "1080p" };
  const { taskId } = await createTask(bed.ctx, account, { model: "sd2", inputs }, null);
  await claimSubmit(bed.ctx.pool, claimOf(taskId));
  await bindJob(bed.ctx.pool, { taskId, jobId: randomUUID(), pollMs: 60_000 });
  const end = { taskId, resultUrl: videos.urlOf(path), failureCode: null, detail: null };
  await saveEnds(bed.ctx.pool, [end]);
  const result = await collectMedia(bed.ctx, taskId);
  if (result.kind !== "delivered") throw new Error(result.kind);
  return { taskId, media: result.media };
}

async function stored({ key, contentType }: StoredMedia) {
  const path = join(signing.dir, `stored-${randomUUID()}`);
  await fetchObject(bed.ctx.storage, key, path);
  return { path, found: await readManifest(bed.ctx, path, contentType) };
}

test.each([
  ["usual", []],
  ["fragmented", ["-movflags", "frag_keyframe+empty_moov"]],
])(
  "a %s video is stored labelled and signed as generated, and the signature covers the label",
  async (name, options) => {
    const { taskId, media } = await collected(await make(`${name}.mp4`, options));
    expect(media.labels).toEqual(["aigc", "c2pa"]);
    const { path, found } = await stored(media);
    expect(found).toMatchObject({
      isOurs: true,
      manifest: { title: taskId, failures: [], sourceTypes: [generated], ingredients: [] },
    });
    expect(parseAigc((await readAigc(path, "video/mp4")) ?? "")).toMatchObject({
      ProduceID: taskId,
    });
    const bytes = await readFile(path);
    const at = bytes.indexOf(`"ProduceID":"${taskId}"`);
    expect(at).toBeGreaterThan(0);
    bytes.writeUInt8(bytes.readUInt8(at + 14) ^ 1, at + 14);
    await writeFile(path, bytes);
    expect(await readManifest(bed.ctx, path, "video/mp4")).toMatchObject({
      isOurs: false,
      manifest: { state: "invalid" },
    });
  },
);

test("the manifest of a vendor is the parent of ours, unbroken, and so it is after an upscale", async () => {
  const theirs = await signedByVendor(await make("plain.mp4"), "video/mp4");
  const { media } = await collected(theirs);
  const { path, found } = await stored(media);
  const parent = { relationship: "parentOf", manifest: expect.any(String), failures: [] };
  expect(found).toMatchObject({
    isOurs: true,
    manifest: { state: "trusted", failures: [], ingredients: [parent] },
  });

  const account = await bed.openAccount();
  const source = { type: "url", url: videos.urlOf(path) } as const;
  const request = { source, targetResolution: "1080p" } as const;
  const { taskId } = await createUpscale(bed.ctx, account, request, null);
  expect(await validateSource(bed.ctx, taskId)).toEqual({ kind: "settled" });
  await workAllSegments(bed.ctx, taskId);
  const joined = await joinVideo(bed.ctx, taskId);
  if (joined.kind !== "delivered") throw new Error(joined.kind);
  expect(joined.media.labels).toEqual(["aigc", "c2pa"]);
  const upscaled = await stored(joined.media);
  expect(upscaled.found).toMatchObject({
    isOurs: true,
    manifest: { failures: [], ingredients: [parent] },
  });
  const actions = upscaled.found.kind === "manifest" ? upscaled.found.manifest.actions : [];
  expect(actions.map(({ action }) => action)).toContain("c2pa.resized");
});

test("an upscale of a recording without marks is signed as resized, and nothing says that a model made it", async () => {
  const account = await bed.openAccount();
  const source = { type: "url", url: videos.urlOf(await make("camera.mp4")) } as const;
  const request = { source, targetResolution: "1080p" } as const;
  const { taskId } = await createUpscale(bed.ctx, account, request, null);
  await validateSource(bed.ctx, taskId);
  await workAllSegments(bed.ctx, taskId);
  const joined = await joinVideo(bed.ctx, taskId);
  if (joined.kind !== "delivered") throw new Error(joined.kind);
  expect(joined.media.labels).toEqual(["c2pa"]);
  const { found, path } = await stored(joined.media);
  expect(found).toMatchObject({ isOurs: true, manifest: { failures: [], sourceTypes: [] } });
  expect(await readAigc(path, "video/mp4")).toBeNull();
});

test.each(["png", "jpeg", "webp"] as const)(
  "a %s is stored labelled and signed, with the manifest of its vendor as parent",
  async (format) => {
    const plain = join(signing.dir, `image.${format}`);
    await sharp({ create: { width: 64, height: 48, channels: 3, background: "teal" } })
      .toFormat(format)
      .toFile(plain);
    const contentType = `image/${format}`;
    for (const path of [await signedByVendor(plain, contentType), plain]) {
      const account = await bed.openAccount();
      const inputs = { prompt: "a fox" };
      const { taskId } = await createTask(bed.ctx, account, { model: "image-pro-2", inputs }, null);
      const task = await findOpenTask(bed.ctx.db, taskId);
      if (task === undefined) throw new Error("no task");
      await claimSubmit(bed.ctx.pool, claimOf(taskId));
      const { submitStartedAt: startedAt } = (await findOpenTask(bed.ctx.db, taskId)) ?? {};
      if (!startedAt) throw new Error("no submit");
      const isPlain = path === plain;
      const submit = { taskId, accountId: account.id, startedAt };
      const result = await storeImage(bed.ctx, task, submit, path);
      if (result.kind !== "delivered") throw new Error(result.kind);
      expect(result.media.labels).toEqual(["aigc", "c2pa"]);
      const { path: file, found } = await stored(result.media);
      expect(found).toMatchObject({ isOurs: true, manifest: { failures: [] } });
      const ingredients = found.kind === "manifest" ? found.manifest.ingredients : [];
      expect(ingredients).toHaveLength(isPlain ? 0 : 1);
      for (const one of ingredients) expect(one.failures).toEqual([]);
      const packet = (await sharp(file).metadata()).xmp?.toString() ?? "";
      expect(parseAigc(aigcInXmp(packet) ?? "")).toMatchObject({ ProduceID: taskId });
    }
  },
);
