import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { download } from "@zoetrope/server/media/fetch/download.ts";
import { createSafeFetch, type SafeFetch } from "@zoetrope/server/media/fetch/safe-fetch.ts";
import { makePoster } from "@zoetrope/server/media/image/make-poster.ts";
import { measureMp4 } from "@zoetrope/server/media/mp4/measure-mp4.ts";
import { runUnconfined } from "@zoetrope/server/media/probe/confine.ts";
import { extractFrame } from "@zoetrope/server/media/probe/extract-frame.ts";
import { probeMedia } from "@zoetrope/server/media/probe/probe.ts";
import { usualFrameOf } from "@zoetrope/server/media/probe/usual-frames.ts";
import { openDiskStorage } from "@zoetrope/server/media/storage/disk-storage.ts";
import { newObjectKey } from "@zoetrope/server/media/storage/storage.ts";
import { readEndedCpuSeconds } from "@zoetrope/testkit/cpu-time.ts";
import { lavfi, renderFile } from "@zoetrope/testkit/make-media.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { serveFiles } from "@zoetrope/testkit/serve-files.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { median } from "../ratios.ts";

const rounds = 3;
const videosPerRound = 8;
const limits = { sizeBytesMax: 100_000_000, totalMsMax: 60_000 };
const chunkBytes = 64 * 1024;
const contentType = "video/mp4";
const posterAtMs = 1_000;
const posterSideMax = 480;

/** Milliseconds per video: of the clock, of this process's processor time and of its children's. */
interface Cost {
  wall: number;
  own: number;
  children: number;
}

/**
 * What storing a vendor's video costs, part by part: fetched (with the server's part), measured by
 * ffprobe or as it arrives, its poster, alone and with those of other videos, and the copy into a
 * folder. First confined, for the time that it takes; then unconfined, because what runs inside
 * bubblewrap leaves no record of its processor time.
 */
export async function runOutputs(): Promise<void> {
  await using scratch = await makeScratch("outputs");
  const path = await renderFile(join(scratch.path, "video.mp4"), usualVideo());
  await using files = await serveFiles({ dir: scratch.path });
  const safeFetch = createSafeFetch({ allowLoopback: true });
  const parts = await partsOf(safeFetch, scratch.path, path, files.urlOf(path));
  const { size } = await stat(path);
  print(`a video of 5 s, 1280x720 at 24 frames a second, ${(size / 1_000_000).toFixed(1)} MB`);
  const confined = await measureParts(parts);
  runUnconfined("only there its processor time is known");
  const unconfined = await measureParts(parts);
  await safeFetch.close();
  for (const name of Object.keys(parts)) {
    const wall = of(confined, name, "wall");
    const [own, children] = [
      of(unconfined, name, "own"),
      of(unconfined, name, "children"),
    ] as const;
    print(
      `${name.padEnd(20)} ms per video: ${wall.toFixed(1)}, processor ${own.toFixed(1)} + programs ${children.toFixed(1)}`,
    );
  }
  const spent = (name: string) =>
    median((unconfined.get(name) ?? []).map(({ own, children }) => own + children));
  print(
    `ffprobe_ms=${spent("measured by ffprobe").toFixed(0)} in_passing_ms=${spent("measured in passing").toFixed(2)} poster_ms=${spent("poster, alone").toFixed(0)} poster_together_ms=${spent("posters together").toFixed(0)}`,
  );
}

function of(costs: Map<string, Cost[]>, name: string, what: keyof Cost): number {
  return median((costs.get(name) ?? []).map((cost) => cost[what]));
}

function usualVideo(): string[] {
  return [
    ...lavfi("testsrc2=s=1280x720:r=24:d=5,noise=alls=12:allf=t"),
    ...lavfi("sine=d=5"),
    ...["-c:v", "libx264", "-preset", "veryfast", "-b:v", "6M", "-pix_fmt", "yuv420p"],
    ...["-c:a", "aac", "-movflags", "+faststart"],
  ];
}

/** Of one video; or of as many as said, at once. */
type Part = (() => Promise<void>) | { together: (videos: number) => Promise<void> };

async function partsOf(
  safeFetch: SafeFetch,
  dir: string,
  path: string,
  url: string,
): Promise<Record<string, Part>> {
  const storage = openDiskStorage({
    root: join(dir, "stored"),
    ...{ publicUrl: "http://localhost", secret: "bench" },
  });
  const bytes = await readFile(path);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const facts = { contentType, sizeBytes: bytes.length, sha256 };
  return {
    "fetched and hashed": async () => {
      await download(safeFetch, url, join(dir, "fetched"), limits);
    },
    "measured by ffprobe": async () => {
      if ((await probeMedia(path)) === null) throw new Error("not measured");
    },
    "measured in passing": async () => {
      const measuring = measureMp4();
      for (let at = 0; at < bytes.length; at += chunkBytes)
        measuring.push(bytes.subarray(at, at + chunkBytes));
      if (measuring.end().kind !== "measured") throw new Error("not measured");
    },
    "poster, alone": async () => {
      await posterOf(await extractFrame(path, contentType, posterAtMs, dir, posterSideMax));
    },
    "posters together": {
      async together(videos) {
        const video = { path, contentType, atMs: posterAtMs, sideMax: posterSideMax, workDir: dir };
        const one = async () => posterOf(await usualFrameOf({ ...video, frame: "key" }));
        await Promise.all(Array.from({ length: videos }, one));
      },
    },
    "copied to the storage": async () => {
      const key = newObjectKey("mp4");
      await storage.putFile(key, path, facts);
      await storage.remove(key);
    },
  };
}

async function posterOf(frame: Buffer | null): Promise<void> {
  if (frame === null) throw new Error("no frame");
  await makePoster(frame);
}

async function measureParts(parts: Record<string, Part>): Promise<Map<string, Cost[]>> {
  const costs = new Map<string, Cost[]>(Object.keys(parts).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++)
    for (const [name, part] of Object.entries(parts)) {
      const cost = await costOf(part);
      if (round > 0) costs.get(name)?.push(cost);
    }
  return costs;
}

async function costOf(part: Part): Promise<Cost> {
  const [startedAt, before] = [performance.now(), process.cpuUsage()];
  const endedBefore = await readEndedCpuSeconds();
  if (typeof part !== "function") await part.together(videosPerRound);
  else for (let video = 0; video < videosPerRound; video++) await part();
  const used = process.cpuUsage(before);
  const ended = (await readEndedCpuSeconds()) - endedBefore;
  return {
    wall: (performance.now() - startedAt) / videosPerRound,
    own: (used.user + used.system) / 1_000 / videosPerRound,
    children: (1_000 * ended) / videosPerRound,
  };
}
