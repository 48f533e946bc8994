import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { lavfi, renderFile } from "@zoetrope/testkit/make-media.ts";
import { type FileServer, serveFiles } from "@zoetrope/testkit/serve-files.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { readBalance } from "../credits/ledger.ts";
import { upscalerLimits } from "../models/upscaler.ts";
import { createUpscale } from "./create-upscale.ts";
import { validateSource } from "./validate-source.ts";

const { sizeBytesMax, secondsMax } = upscalerLimits;
const credits = 10_000;

let scratch: Scratch;
let videos: FileServer;
let bed: TestBed;
beforeAll(async () => {
  scratch = await makeScratch("lengths");
  videos = await serveFiles({ dir: scratch.path });
  bed = await openTestBed();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await videos[Symbol.asyncDispose]();
  await scratch.remove();
});

async function validate(url: string) {
  const account = await bed.openAccount({ credits });
  const body = { source: { type: "url", url }, targetResolution: "1080p" } as const;
  const { taskId } = await createUpscale(bed.ctx, account, body, null);
  const validation = await validateSource(bed.ctx, taskId);
  const { availableCredits } = await readBalance(bed.ctx.db, account.id);
  return { validation, held: credits - availableCredits };
}

const tiny = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "250"];

describe("seconds", () => {
  test("that are measured after prices have changed cost what they cost when the task was accepted", async () => {
    const seven = join(scratch.path, "seven.mp4");
    await renderFile(seven, ["-f", "lavfi", "-i", "color=s=16x16:r=25:d=7", ...tiny]);
    const priceBook = "resellers";
    const publish = `insert into price_versions
        (book, version, document, valid_from, published_kind, published_by)
      select $1, $2, document || jsonb_build_object('upscale', jsonb_build_object('1080p', $3::int, '2k', 1, '4k', 1)),
             clock_timestamp(), 'command', 'root'
      from price_versions where book = 'A' and version = 1`;
    await bed.database.sql("insert into price_books (name) values ($1)", [priceBook]);
    await bed.database.sql(publish, [priceBook, 1, 3]);
    await bed.ctx.prices.refresh();
    const account = await bed.openAccount({ credits, priceBook });
    const until = Date.now() + 3_600_000;
    await bed.database.sql(
      "update accounts set discount = 1000, discount_until = to_timestamp($2::float8 / 1000) where id = $1",
      [account.id, until],
    );
    const source = { type: "url", url: videos.urlOf(seven) } as const;
    const body = { source, targetResolution: "1080p" } as const;
    const { taskId } = await createUpscale(bed.ctx, account, body, null);
    await bed.database.sql(publish, [priceBook, 2, 90]);
    await bed.ctx.prices.refresh();
    await bed.database.sql(
      "update accounts set discount = null, discount_until = null where id = $1",
      [account.id],
    );
    expect(await validateSource(bed.ctx, taskId)).toEqual({ kind: "settled" });
    const { availableCredits } = await readBalance(bed.ctx.db, account.id);
    expect(credits - availableCredits).toBe(19); // 7 s of 3 credits, less a tenth
  });

  let longest: string; // others are cut from it
  beforeAll(async () => {
    const black = ["-f", "lavfi", "-i", `color=s=16x16:r=25:d=${secondsMax + 1}`];
    longest = await renderFile(join(scratch.path, "longest.mp4"), [...black, ...tiny]);
  });
  const cutTo = (seconds: number) =>
    renderFile(join(scratch.path, `${seconds}.mp4`), [
      "-i",
      longest,
      "-c",
      "copy",
      "-t",
      String(seconds),
    ]);

  test.each([599.96, 600])("%s are taken, and counted as 600", async (seconds) => {
    const { validation, held } = await validate(videos.urlOf(await cutTo(seconds)));
    expect(validation).toEqual({ kind: "settled" });
    expect(held).toBe(600 * 3);
  });

  test.each([600.04, 601])("%s are refused: they count as 601", async (seconds) => {
    const { validation } = await validate(videos.urlOf(await cutTo(seconds)));
    const message = `The source is ${seconds.toFixed(2)} s long, which counts as 601 s; the limit is 600 s.`;
    expect(validation).toEqual({ kind: "failed", code: "DURATION_EXCEEDS_LIMIT", message });
  });

  test("that a header keeps silent about are counted all the same", async () => {
    const half = await cutTo(30);
    const path = join(scratch.path, "lying.mp4");
    await writeFile(path, declaringOneSecond(await readFile(half)));
    const { validation, held } = await validate(videos.urlOf(path));
    expect(validation).toEqual({ kind: "settled" });
    expect(held).toBe(30 * 3);

    await writeFile(path, declaringOneSecond(await readFile(longest)));
    const refused = await validate(videos.urlOf(path));
    expect(refused.validation).toMatchObject({ code: "DURATION_EXCEEDS_LIMIT" });
  });
});

describe("frames out of order", () => {
  const reordered = [...tiny, "-bf", "2"];
  const sounds = ["pcm_s16le", "pcm_alaw", "adpcm_ms", "adpcm_ima_qt", "aac", "alac"];

  test.each(sounds.flatMap((sound) => [10, 15].map((rate) => [sound, rate] as const)))(
    "add nothing: 5 s with %s at %i frames a second cost 5 s",
    async (sound, rate) => {
      const inputs = [
        ...lavfi(`testsrc2=s=64x48:r=${rate}:d=5`),
        ...lavfi("anoisesrc=d=5:r=48000:seed=1"),
      ];
      const path = join(scratch.path, `${sound}-${rate}.mov`);
      await renderFile(path, [...inputs, ...reordered, "-c:a", sound]);
      expect(await validate(videos.urlOf(path))).toEqual({
        validation: { kind: "settled" },
        held: 5 * 3,
      });
    },
  );

  test.each([
    [4, 5],
    [10, 10],
  ])(
    "add nothing either where the edit list hides most of %i s of audio: that costs %i s",
    async (audioSeconds, seconds) => {
      const sine = `sine=d=${audioSeconds}:r=48000`;
      const path = join(scratch.path, `hides-${audioSeconds}.mov`);
      const inputs = [...lavfi("testsrc2=s=64x48:r=10:d=5"), ...lavfi(sine)];
      await renderFile(path, [...inputs, ...reordered, "-c:a", "pcm_s16le"]);
      const file = await readFile(path);
      const ofAudio = file.lastIndexOf("elst", file.length, "latin1"); // its track is the last
      file.writeUInt32BE(file.readUInt32BE(file.indexOf("mvhd") + 16), ofAudio + 12); // one second
      await writeFile(path, file);
      expect(await validate(videos.urlOf(path))).toMatchObject({ held: seconds * 3 });
    },
  );
});

describe("frames", () => {
  const framesPerSecond = 24;
  let slow: string;
  beforeAll(async () => {
    const black = ["-f", "lavfi", "-i", `color=s=16x16:r=${framesPerSecond}:d=25`];
    slow = await renderFile(join(scratch.path, "slow.mp4"), [...black, ...tiny, "-bf", "0"]);
  });
  /** Writes the same frames in less time, without encoding them again. */
  const speedUp = (path: string, times: number) =>
    renderFile(join(scratch.path, `${times}-times.mp4`), [
      "-itsscale",
      String(1 / times),
      "-i",
      path,
      "-c",
      "copy",
    ]);

  test("up to 60 a second change nothing: 25 s cost 25 s, and 10 s at 60 cost 10 s", async () => {
    expect(await validate(videos.urlOf(slow))).toEqual({
      validation: { kind: "settled" },
      held: 25 * 3,
    });
    const black = ["-f", "lavfi", "-i", "color=s=16x16:r=60:d=10"];
    const usual = await renderFile(join(scratch.path, "usual.mp4"), [...black, ...tiny]);
    expect(await validate(videos.urlOf(usual))).toMatchObject({ held: 10 * 3 });
  });

  test("of a video at 120 a second each count as 1/60 s: speeding it up saves nothing", async () => {
    const { validation, held } = await validate(videos.urlOf(await speedUp(slow, 5)));
    expect(validation).toEqual({ kind: "settled" });
    expect(held).toBe((600 / 60) * 3);
  });

  test("count towards the limit of 600 s and are named in its refusal", async () => {
    const seconds = 301;
    const black = ["-f", "lavfi", "-i", `color=s=16x16:r=120:d=${seconds}`];
    const path = await renderFile(join(scratch.path, "many.mp4"), [...black, ...tiny]);
    const { validation } = await validate(videos.urlOf(path));
    const message =
      "The source is 301.00 s long and has 36120 frames, more than 60 a second, which counts as 602 s; the limit is 600 s.";
    expect(validation).toEqual({ kind: "failed", code: "DURATION_EXCEEDS_LIMIT", message });
  });
});

/** Returns the video with every header changed to a duration of one second. */
function declaringOneSecond(video: Buffer): Buffer {
  const lying = Buffer.from(video);
  const at = (name: string) => {
    const offset = lying.lastIndexOf(name, lying.length, "latin1"); // the index is last
    expect(offset).toBeGreaterThan(0);
    return offset + name.length;
  };
  const perSecond = lying.readUInt32BE(at("mvhd") + 12);
  lying.writeUInt32BE(perSecond, at("mvhd") + 16);
  lying.writeUInt32BE(perSecond, at("tkhd") + 20);
  lying.writeUInt32BE(lying.readUInt32BE(at("mdhd") + 12), at("mdhd") + 16);
  return lying;
}

describe("bytes", () => {
  /** The maximum number of bytes that sockets hold in flight. */
  const underWayBytesMax = 32 * 1024 * 1024;
  const endlessBytes = 4 * sizeBytesMax;
  const chunk = Buffer.alloc(1024 * 1024);

  /** Sends a video that is followed by zeros up to so many bytes, and says what it likes about them. */
  async function offer(sizeBytes: number, declaredBytes: number | null) {
    const black = ["-f", "lavfi", "-i", "color=s=16x16:r=5:d=1"];
    const video = await readFile(
      await renderFile(join(scratch.path, "small.mp4"), [...black, ...tiny]),
    );
    let bytesWritten = 0;
    const server = createServer(({ socket }, response) => {
      if (declaredBytes !== null) response.setHeader("content-length", declaredBytes);
      response.on("close", () => {
        bytesWritten = socket.bytesWritten;
      });
      pipeline(Readable.from(padded(video, sizeBytes)), response).catch(() => {});
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    return {
      url: `http://127.0.0.1:${port}/video.mp4`,
      bytesWritten: () => bytesWritten,
      [Symbol.dispose]() {
        server.closeAllConnections();
        server.close();
      },
    };
  }

  function* padded(video: Buffer, sizeBytes: number): Generator<Buffer> {
    let left = sizeBytes - video.length;
    const head = Buffer.alloc(8);
    head.writeUInt32BE(left, 0);
    head.write("free", 4, "latin1"); // a box that every reader passes over
    yield Buffer.concat([video, head]);
    for (left -= head.length; left > 0; left -= chunk.length)
      yield chunk.subarray(0, Math.min(left, chunk.length));
  }

  test("200 MB are taken", async () => {
    using server = await offer(sizeBytesMax, sizeBytesMax);
    expect((await validate(server.url)).validation).toEqual({ kind: "settled" });
  });

  const tooLarge = {
    kind: "failed",
    code: "FILE_TOO_LARGE",
    message: "The source is larger than 200 MB.",
  };

  test("one more is refused, also without a declared length", async () => {
    using server = await offer(sizeBytesMax + 1, null);
    expect((await validate(server.url)).validation).toEqual(tooLarge);
  });

  test("of many more, few are fetched", async () => {
    using server = await offer(endlessBytes, null);
    expect((await validate(server.url)).validation).toEqual(tooLarge);
    await expect.poll(server.bytesWritten).toBeGreaterThan(sizeBytesMax);
    expect(server.bytesWritten()).toBeLessThan(sizeBytesMax + underWayBytesMax);
  });

  test("where more are declared, none are waited for", async () => {
    using server = await offer(endlessBytes, sizeBytesMax + 1);
    expect((await validate(server.url)).validation).toEqual(tooLarge);
    expect(server.bytesWritten()).toBeLessThan(underWayBytesMax);
  });

  test("of many more than were declared, the declared ones are fetched", async () => {
    using server = await offer(endlessBytes, 1_000);
    const { validation } = await validate(server.url);
    expect(validation).toMatchObject({ kind: "failed", code: "UNSUPPORTED_MEDIA_TYPE" });
    await expect.poll(server.bytesWritten).toBeGreaterThan(0);
    expect(server.bytesWritten()).toBeLessThan(underWayBytesMax);
  });
});
