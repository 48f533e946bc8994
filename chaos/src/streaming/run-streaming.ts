import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startHouse } from "@zoetrope/dev/house.ts";
import { startS3 } from "@zoetrope/dev/services/s3.ts";
import { makeScratch } from "@zoetrope/dev/services/scratch.ts";
import { h264, moving, openStudio } from "../media/files/render.ts";
import { say } from "../say.ts";
import { startFilmVendor } from "./film-vendor.ts";
import { type PaddedFilm, padFilm, plainFilm } from "./padded-film.ts";
import { passAsAsset, passAsTask, type World } from "./pass-films.ts";
import { type MemoryWatch, watchMemory } from "./watch-memory.ts";

const megabyte = 1024 * 1024;
const growthMbMax = 64;
/** V8 gives back what the start has left behind, which would otherwise hide growth. */
const restMs = 20_000;
const outputBytes = 1024 * megabyte;
const assetBytes = 199 * megabyte; // 200 are taken

const serverEnv = {
  LOG_LEVEL: "info",
  REVIEW_VIDEO: "automatic",
  // What the models think of a test pattern is another's subject: whatever they see, it passes.
  ...{ REVIEW_NSFW_REFUSED_ABOVE: "1", REVIEW_NSFW_UNSURE_ABOVE: "1", REVIEW_FACE_ABOVE: "1" },
};

type Storage = "S3" | "folder";

interface Films {
  small: PaddedFilm;
  output: PaddedFilm;
  asset: PaddedFilm;
}

interface Outcome {
  streamedBytes: number;
  growthMb: number;
  wrong: string[];
}

/** Large films in and out, with S3 and with a folder: what they cost in memory, and whether they came through. */
export async function runStreaming(): Promise<boolean> {
  const films = await makeFilms();
  const outcomes = [await stream("S3", films), await stream("folder", films)];
  const streamedMb = outcomes.reduce((sum, { streamedBytes }) => sum + streamedBytes, 0) / megabyte;
  const growthMb = Math.max(...outcomes.map((outcome) => outcome.growthMb));
  const wrong = outcomes.flatMap((outcome) => outcome.wrong);
  for (const sentence of wrong) say(`  WRONG ${sentence}`);
  say(`streamed_mb=${Math.round(streamedMb)} growth_mb=${growthMb} wrong=${wrong.length}`);
  return wrong.length === 0 && growthMb < growthMbMax;
}

async function makeFilms(): Promise<Films> {
  await using scratch = await makeScratch("films");
  const { render } = openStudio(scratch.path);
  const film = await render("small.mp4", ...moving(1280, 720, 24, 4), ...h264);
  return {
    small: plainFilm("small.mp4", film),
    output: padFilm("output.mp4", film, outputBytes),
    asset: padFilm("asset.mp4", film, assetBytes),
  };
}

async function stream(storage: Storage, films: Films): Promise<Outcome> {
  await using scratch = await makeScratch("streaming");
  await using cleanUp = new AsyncDisposableStack();
  const vendor = cleanUp.use(await startFilmVendor(Object.values(films)));
  const storageEnv = storage === "S3" ? await s3Settings(scratch.path, cleanUp) : {};
  const house = cleanUp.use(
    await startHouse({
      dir: scratch.path,
      serverEnv: { ...serverEnv, ...storageEnv, VENDORS: vendor.settings },
    }),
  );
  const { key } = await house.openAccount({ name: "streaming", credits: 1_000 });
  const world = { apiUrl: house.apiUrl, key, vendor };
  const pids = { worker: house.worker.pid, api: house.api.pid };
  say(`with ${storage}`);
  return await measure(world, pids, films);
}

/** The baseline is what the processes have when small films went both ways and they had a rest. */
async function measure(
  world: World,
  pids: { worker: number; api: number },
  { small, output, asset }: Films,
): Promise<Outcome> {
  const wrong = [...(await passAsTask(world, small)), ...(await passAsAsset(world, small))];
  await pause(restMs);
  await using worker = await watchMemory(pids.worker);
  await using api = await watchMemory(pids.api);
  const passes = [
    { film: output, as: "the output of a task", pass: passAsTask },
    { film: asset, as: "an asset with its review", pass: passAsAsset },
  ];
  for (const { film, as, pass } of passes) {
    const startedAt = performance.now();
    wrong.push(...(await pass(world, film)));
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    say(
      `  ${film.sizeBytes / megabyte} MB as ${as} in ${seconds} s: worker ${await grown(worker)}, api ${await grown(api)}`,
    );
  }
  const growths = [worker, api].map(async (watch) => (await watch.peakMb()) - watch.beforeMb);
  return {
    streamedBytes: output.sizeBytes + asset.sizeBytes,
    growthMb: Math.max(...(await Promise.all(growths))),
    wrong,
  };
}

async function grown(watch: MemoryWatch): Promise<string> {
  return `${watch.beforeMb}→${await watch.peakMb()} MB`;
}

async function s3Settings(dir: string, cleanUp: AsyncDisposableStack) {
  const s3 = cleanUp.use(await startS3({ dir: join(dir, "s3") }));
  await s3.createBucket("media");
  return {
    S3_ENDPOINT: s3.endpoint,
    S3_BUCKET: "media",
    S3_REGION: s3.region,
    S3_ACCESS_KEY_ID: s3.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
  };
}
