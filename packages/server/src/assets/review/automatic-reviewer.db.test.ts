import assert from "node:assert";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { judge } from "../../../test/harness/judge.ts";
import { openTestBed, type TestBed } from "../../../test/harness/test-context.ts";
import { findAsset } from "../queries.ts";
import { readAsset } from "../read-assets.ts";
import { storeAsset } from "../store-asset.ts";
import { uploadAsset } from "../upload-asset.ts";
import { createAutomaticReviewer } from "./automatic-reviewer.ts";
import { listReviews } from "./queries.ts";
import { reviewAsset } from "./review-asset.ts";

const run = promisify(execFile);
const reviews = {
  REVIEW_IMAGE: "automatic,manual",
  REVIEW_VIDEO: "automatic,manual",
  REVIEW_AUDIO: "automatic,manual",
};

let bed: TestBed;
let scratch: Awaited<ReturnType<typeof makeScratch>>;
let server: Server;
let served: Buffer;
/** A sky over a meadow, made here. */
let meadow: Buffer;
/** Five faces of people: an image that the package of the face detector has in its documentation. */
let people: Buffer;

beforeAll(async () => {
  scratch = await makeScratch("reviewed");
  meadow = await drawMeadow();
  const reviewer = createRequire(import.meta.resolve("@zoetrope/reviewer"));
  const human = dirname(dirname(reviewer.resolve("@vladmandic/human")));
  people = await readFile(join(human, "assets/screenshot-facedetect.jpg"));
  server = createServer((_request, response) => response.end(served)).listen(0, "127.0.0.1");
  await once(server, "listening");
  bed = await openTestBed(reviews);
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  server.closeAllConnections();
  server.close();
  await scratch.remove();
});

function drawMeadow(): Promise<Buffer> {
  const [width, height] = [640, 480];
  const data = Buffer.alloc(width * height * 3);
  for (let at = 0; at < width * height; at += 1) {
    const [x, y] = [at % width, Math.floor(at / width)];
    const isSky = y < 260 + 40 * Math.sin(x / 90);
    data.set(isSky ? [90 + y / 3, 150 + y / 4, 230] : [60, 150 - y / 8, 50 + (x % 7)], at * 3);
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg()
    .toBuffer();
}

/** Uploads, fetches, probes and reviews it; returns what its owner sees and what is recorded. */
async function reviewed(bytes: Buffer, type: "IMAGE" | "VIDEO" | "AUDIO" = "IMAGE", within = bed) {
  const { ctx } = within;
  const account = await within.openAccount();
  served = bytes;
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/file`;
  const { assetId } = await uploadAsset(ctx, account, { url, type });
  await storeAsset(ctx, assetId);
  await reviewAsset(ctx, assetId);
  const read = async () => {
    const { status, failReason } = await readAsset(ctx, account, String(assetId));
    const record = await listReviews(ctx.db, assetId);
    return {
      status,
      failReason,
      verdicts: record.map(({ actor, verdict, reason }) => `${actor} ${verdict}: ${reason}`),
    };
  };
  return { assetId, read, ...(await read()) };
}

async function made(name: string, ...how: string[]): Promise<Buffer> {
  const path = join(scratch.path, name);
  await run("ffmpeg", ["-v", "error", ...how, path]);
  return readFile(path);
}

const person = "automatic unsure: The image seems to show a real person.";

test("a landscape passes, with the scores on record, and no person is asked", async () => {
  expect(await reviewed(meadow)).toMatchObject({
    status: "ACTIVE",
    failReason: null,
    verdicts: [
      expect.stringMatching(
        /^automatic passed: Nothing found: explicit 0\.\d\d, sexual 0\.\d\d, face 0\.\d\d\.$/,
      ),
    ],
  });
});

test("a face waits for a person, who decides; the next image is judged by itself", async () => {
  const asset = await reviewed(people);
  expect(asset).toMatchObject({ status: "PROCESSING", failReason: null, verdicts: [person] });
  const { assetId } = asset;
  await judge(bed.ctx, assetId, "passed");
  await reviewAsset(bed.ctx, assetId);
  expect(await asset.read()).toMatchObject({
    status: "ACTIVE",
    verdicts: [person, "manual command op passed: fine"],
  });
  expect((await reviewed(meadow)).status).toBe("ACTIVE");
});

test("sexual content by the settings is refused or doubted, and its owner sees why", async () => {
  // No such image here: a harmless one is above a threshold that is low enough.
  await using strict = await openTestBed({ ...reviews, REVIEW_NSFW_REFUSED_ABOVE: "0.000001" });
  await using doubtful = await openTestBed({ ...reviews, REVIEW_NSFW_UNSURE_ABOVE: "0.000001" });
  expect(await reviewed(meadow, "IMAGE", strict)).toMatchObject({
    status: "FAILED",
    failReason: "The review did not pass. Shows sexual content.",
    verdicts: ["automatic refused: The image shows sexual content."],
  });
  expect(await reviewed(meadow, "IMAGE", doubtful)).toMatchObject({
    status: "PROCESSING",
    verdicts: ["automatic unsure: The image may show sexual content."],
  });
});

test("faces are found upside down, through transparency, in grey and in a BMP", async () => {
  const turned = await sharp(people).rotate(180).png().toBuffer();
  expect((await reviewed(turned)).verdicts).toEqual([person]);
  const clear = await sharp(people).ensureAlpha(0).png().toBuffer();
  expect((await reviewed(clear)).verdicts).toEqual([person]);
  const grey = await sharp(people).greyscale().webp().toBuffer();
  expect((await reviewed(grey)).verdicts).toEqual([person]);
  const path = join(scratch.path, "people.jpg");
  await writeFile(path, people);
  expect((await reviewed(await made("people.bmp", "-i", path))).verdicts).toEqual([person]);
});

test("a video passes by its frames, and fails to by those of its end", async () => {
  const [land, crowd] = [join(scratch.path, "land.jpg"), join(scratch.path, "crowd.jpg")];
  await writeFile(land, await sharp(meadow).resize(640, 480).toBuffer());
  await writeFile(crowd, await sharp(people).resize(640, 480, { fit: "fill" }).toBuffer());
  const still = (path: string) => ["-loop", "1", "-framerate", "10", "-t", "1", "-i", path];
  const format = ["-pix_fmt", "yuv420p"];
  const calm = await made("calm.mp4", ...still(land), ...format);
  expect((await reviewed(calm, "VIDEO")).status).toBe("ACTIVE");
  const joined = ["-filter_complex", "[0:v][1:v]concat=n=2:v=1[v]", "-map", "[v]"];
  const party = await made("party.mov", ...still(land), ...still(crowd), ...joined, ...format);
  expect((await reviewed(party, "VIDEO")).verdicts).toEqual([
    "automatic unsure: The video seems to show a real person.",
  ]);
});

test("audio is left to the next reviewer", async () => {
  const audio = await made("tone.wav", "-f", "lavfi", "-i", "sine=duration=1");
  expect(await reviewed(audio, "AUDIO")).toMatchObject({
    status: "PROCESSING",
    verdicts: ["automatic unsure: Audio is not classified automatically."],
  });
});

test("a copy that cannot be decoded is left to somebody else; a lost one is asked for again", async () => {
  const { assetId } = await reviewed(meadow);
  const asset = await findAsset(bed.ctx.db, assetId);
  const { automatic } = bed.ctx.reviewers;
  assert(asset !== undefined && automatic !== undefined && asset.storage_key !== null);
  const verdict = { kind: "unable", reason: "The video could not be classified automatically." };
  const claimed = {
    ...asset,
    type: "VIDEO",
    content_type: "video/mp4",
    duration_ms: 1000,
  } as const;
  expect(await automatic.review(claimed)).toEqual(verdict);
  await bed.ctx.storage.remove(asset.storage_key);
  await expect(automatic.review(asset)).rejects.toThrow("the object does not exist");
});

test("more than so many at once are asked to come again; closed, it judges nothing", async () => {
  const { assetId } = await reviewed(meadow);
  const asset = await findAsset(bed.ctx.db, assetId);
  assert(asset !== undefined);
  const { storage, workDir, log, config } = bed.ctx;
  const reviewer = createAutomaticReviewer({ storage, workDir, log, limits: config.review });
  const asked = Array.from({ length: 17 }, () => reviewer.review(asset));
  expect(await asked[16]).toEqual({ kind: "waiting" });
  const rest = Promise.allSettled(asked.slice(0, 16));
  await reviewer.close();
  expect((await rest).every(({ status }) => status === "rejected")).toBe(true);
});

test("nobody loads it where no line of reviewers names it", async () => {
  await using plain = await openTestBed({
    ...reviews,
    REVIEW_IMAGE: "manual",
    REVIEW_VIDEO: "",
    REVIEW_AUDIO: "",
  });
  expect(plain.ctx.reviewers.automatic).toBeUndefined();
});
