import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { makeScratch, type Scratch } from "@zoetrope/dev/services/scratch.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FilmServer, startFilmServer } from "../../test/harness/film-server.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { readBalance } from "../credits/ledger.ts";
import { priceOfUpscale, upscalerLimits } from "../models/upscaler.ts";
import { createUpscale } from "./create-upscale.ts";
import { validateSource } from "./validate-source.ts";

const { sizeBytesMax, secondsMax } = upscalerLimits;
const credits = 10_000;

let scratch: Scratch;
let films: FilmServer;
let bed: TestBed;
beforeAll(async () => {
  scratch = await makeScratch("lengths");
  films = await startFilmServer(scratch.path);
  bed = await openTestBed();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await films[Symbol.asyncDispose]();
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
  let longest: string; // others are cut from it
  beforeAll(async () => {
    const black = ["-f", "lavfi", "-i", `color=s=16x16:r=25:d=${secondsMax + 1}`];
    longest = await films.render("longest.mp4", [...black, ...tiny]);
  });
  const cutTo = (seconds: number) =>
    films.render(`${seconds}.mp4`, ["-i", longest, "-c", "copy", "-t", String(seconds)]);

  test.each([599.96, 600])("%s are taken, and counted as 600", async (seconds) => {
    const { validation, held } = await validate(films.urlOf(await cutTo(seconds)));
    expect(validation).toEqual({ kind: "settled" });
    expect(held).toBe(600 * 3);
  });

  test.each([600.04, 601])("%s are refused: they count as 601", async (seconds) => {
    const { validation } = await validate(films.urlOf(await cutTo(seconds)));
    const message = `The source is ${seconds.toFixed(2)} s long, which counts as 601 s; at most 600 s are taken.`;
    expect(validation).toEqual({ kind: "failed", code: "DURATION_EXCEEDS_LIMIT", message });
  });

  test("that a header keeps silent about are counted all the same", async () => {
    const half = await cutTo(30);
    const path = join(scratch.path, "lying.mp4");
    await writeFile(path, sayingOneSecond(await readFile(half)));
    const { validation, held } = await validate(films.urlOf(path));
    expect(validation).toEqual({ kind: "settled" });
    expect(held).toBe(priceOfUpscale("1080p", 30_000, "A"));

    await writeFile(path, sayingOneSecond(await readFile(longest)));
    const refused = await validate(films.urlOf(path));
    expect(refused.validation).toMatchObject({ code: "DURATION_EXCEEDS_LIMIT" });
  });
});

/** The same film, whose every header says that it lasts one second. */
function sayingOneSecond(film: Buffer): Buffer {
  const lying = Buffer.from(film);
  const at = (name: string) => {
    const place = lying.lastIndexOf(name, lying.length, "latin1"); // the index is last
    expect(place).toBeGreaterThan(0);
    return place + name.length;
  };
  const perSecond = lying.readUInt32BE(at("mvhd") + 12);
  lying.writeUInt32BE(perSecond, at("mvhd") + 16);
  lying.writeUInt32BE(perSecond, at("tkhd") + 20);
  lying.writeUInt32BE(lying.readUInt32BE(at("mdhd") + 12), at("mdhd") + 16);
  return lying;
}

describe("bytes", () => {
  /** What sockets keep under way. */
  const underWayBytesMax = 32 * 1024 * 1024;
  const endlessBytes = 4 * sizeBytesMax;
  const chunk = Buffer.alloc(1024 * 1024);

  /** Sends a film that is followed by zeros up to so many bytes, and says what it likes about them. */
  async function offer(sizeBytes: number, saidBytes: number | null) {
    const black = ["-f", "lavfi", "-i", "color=s=16x16:r=5:d=1"];
    const film = await readFile(await films.render("small.mp4", [...black, ...tiny]));
    let bytesWritten = 0;
    const server = createServer(({ socket }, response) => {
      if (saidBytes !== null) response.setHeader("content-length", saidBytes);
      response.on("close", () => {
        bytesWritten = socket.bytesWritten;
      });
      pipeline(Readable.from(padded(film, sizeBytes)), response).catch(() => {});
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    return {
      url: `http://127.0.0.1:${port}/film.mp4`,
      bytesWritten: () => bytesWritten,
      [Symbol.dispose]() {
        server.closeAllConnections();
        server.close();
      },
    };
  }

  function* padded(film: Buffer, sizeBytes: number): Generator<Buffer> {
    let left = sizeBytes - film.length;
    const head = Buffer.alloc(8);
    head.writeUInt32BE(left, 0);
    head.write("free", 4, "latin1"); // a box that every reader passes over
    yield Buffer.concat([film, head]);
    for (left -= head.length; left > 0; left -= chunk.length)
      yield chunk.subarray(0, Math.min(left, chunk.length));
  }

  test("200 MB are taken", async () => {
    using server = await offer(sizeBytesMax, sizeBytesMax);
    expect((await validate(server.url)).validation).toEqual({ kind: "settled" });
  });

  const tooLarge = {
    ...{ kind: "failed", code: "FILE_TOO_LARGE" },
    message: "The source is larger than 200 MB.",
  };

  test("one more is refused, also when nothing was said about them", async () => {
    using server = await offer(sizeBytesMax + 1, null);
    expect((await validate(server.url)).validation).toEqual(tooLarge);
  });

  test("of many more, few are fetched", async () => {
    using server = await offer(endlessBytes, null);
    expect((await validate(server.url)).validation).toEqual(tooLarge);
    await expect.poll(server.bytesWritten).toBeGreaterThan(sizeBytesMax);
    expect(server.bytesWritten()).toBeLessThan(sizeBytesMax + underWayBytesMax);
  });

  test("where it is said that there are more, none are waited for", async () => {
    using server = await offer(endlessBytes, sizeBytesMax + 1);
    expect((await validate(server.url)).validation).toEqual(tooLarge);
    expect(server.bytesWritten()).toBeLessThan(underWayBytesMax);
  });

  test("of many more than were said, those that were said are fetched", async () => {
    using server = await offer(endlessBytes, 1_000);
    const { validation } = await validate(server.url);
    expect(validation).toMatchObject({ kind: "failed", code: "UNSUPPORTED_MEDIA_TYPE" });
    await expect.poll(server.bytesWritten).toBeGreaterThan(0);
    expect(server.bytesWritten()).toBeLessThan(underWayBytesMax);
  });
});
