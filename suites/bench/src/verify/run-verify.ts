import { randomBytes, randomUUID } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { prepareDatabase } from "@zoetrope/dev/prepare-database.ts";
import { databaseOnlySettings } from "@zoetrope/dev/server-settings.ts";
import { startPostgres } from "@zoetrope/dev/services/postgres.ts";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { startServer } from "@zoetrope/dev/start-server.ts";
import { openConnections } from "@zoetrope/server/db/connections.ts";
import { openDatabase } from "@zoetrope/server/db/database.ts";
import { makePoster } from "@zoetrope/server/media/image/make-poster.ts";
import { printOfPixels } from "@zoetrope/server/media/image/print.ts";
import { extractFrame } from "@zoetrope/server/media/probe/extract-frame.ts";
import { findByPrints } from "@zoetrope/server/verify/find-outputs.ts";
import { renderFile } from "@zoetrope/testkit/make-media.ts";
import { percentile } from "@zoetrope/testkit/percentile.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { makeSampleVideo } from "../sample-video.ts";
import { paint } from "./paint.ts";

const outputs = 100;
const foundMin = 95;
/** One output in so many is a video. */
const videoShare = 4;
const others = 1_000;
/** Of these, so many are sent as files; of all, the prints are looked up. */
const othersSent = 25;
const lookups = 500;
const responses = 10;
/** The prints of one image, and of the five frames of a video. */
const askedPrints = { image: 3, video: 15 };
const margins = [0, 0.015, 0.03];
const batch = 100_000;
const side = { width: 640, height: 360 };
const small = { width: 64, height: 36 };
const settings = { shared_buffers: "1GB", max_wal_size: "8GB", fsync: "off" };

const half = "scale=iw/2:-2";
const cropped = "crop=trunc(iw*0.97/2)*2:trunc(ih*0.97/2)*2";
/** A label as large as the standard asks, in the corner: dark, with light strokes in it. */
const labelled = [
  "drawbox=x=iw*0.87:y=ih*0.92:w=iw*0.12:h=ih*0.06:color=black@0.4:t=fill",
  ...[0.88, 0.9, 0.92, 0.94, 0.96].map(
    (x) => `drawbox=x=iw*${x}:y=ih*0.93:w=iw*0.008:h=ih*0.04:color=white@0.9:t=fill`,
  ),
].join(",");

/** What happens to files that leave, in turn. */
const changes = {
  image: [
    { name: "half.jpg", args: ["-vf", half, "-q:v", "8"] },
    { name: "other.webp", args: ["-quality", "40"] },
    { name: "cropped.png", args: ["-vf", cropped] },
    { name: "labelled.jpg", args: ["-vf", labelled, "-q:v", "4"] },
    { name: "all.jpg", args: ["-vf", `${cropped},${labelled},${half}`, "-q:v", "8"] },
  ],
  video: [
    { name: "half.mp4", args: ["-vf", half, "-c:v", "libx264", "-crf", "32"] },
    { name: "other.webm", args: ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-b:v", "400k"] },
    { name: "cropped.mp4", args: ["-vf", cropped, "-c:v", "mpeg4", "-q:v", "6"] },
    { name: "labelled.mp4", args: ["-vf", labelled, "-c:v", "libx264"] },
    {
      name: "all.mp4",
      args: ["-vf", `${cropped},${labelled},${half}`, "-c:v", "mpeg4", "-q:v", "8"],
    },
  ],
} as const;

/**
 * How long a lookup among `count` prints takes, and the response for a video of 4 MB; how many of 100
 * outputs are recognised after they were encoded again, and how many of 1,000 other pictures.
 */
export async function runVerify(count: number): Promise<void> {
  await using scratch = await makeScratch("verify");
  await using postgres = await startPostgres({ dir: join(scratch.path, "postgres"), settings });
  const urls = await prepareDatabase(postgres, "verify");
  await fill(urls.owner, count);
  const shared = await databaseOnlySettings(scratch.path, urls.service);
  const env = {
    ...shared,
    TRUST_PROXY: "1",
    RESTATE_ADMIN_URL: shared.RESTATE_INGRESS_URL,
    WORKER_URL: `http://127.0.0.1:${shared.WORKER_PORT}`,
  };
  const pool = openConnections(urls.service, 2, "bench");
  const db = openDatabase(pool);
  const ctx = { db, otherShards: [] };
  await using started = new AsyncDisposableStack();
  started.defer(() => db.destroy());
  started.use(await startServer({ role: "worker", env: shared, dir: scratch.path }));
  started.use(await startServer({ role: "api", env, dir: scratch.path }));
  const lookup = await measureLookups(ctx, urls.owner);
  print(`lookup p95: image ${lookup.image.toFixed(1)} ms, video ${lookup.video.toFixed(1)} ms`);
  const dir = join(scratch.path, "files");
  await mkdir(dir);
  const responseMs = await measureResponses(env.PUBLIC_URL, await makeSampleVideo(dir));
  const found = await countFound(env.PUBLIC_URL, urls.owner, dir);
  const wrong = await countOthers(env.PUBLIC_URL, ctx, dir);
  print(
    `prints=${count} p95_ms=${Math.max(lookup.image, lookup.video).toFixed(1)} response_ms_p50=${responseMs.toFixed(0)} found=${found}/${outputs} others_made_here=${wrong.made} others_similar=${wrong.similar}/${others}`,
  );
  if (found < foundMin || wrong.made + wrong.similar > 0) process.exitCode = 1;
}

async function fill(ownerUrl: string, count: number): Promise<void> {
  await withClient(ownerUrl, async (client) => {
    await client.query("set synchronous_commit = off");
    for (let done = 0; done < count; done += batch)
      await client.query(
        `insert into output_prints (task_id, number, sha256, print, kind, made_at)
         select gen_random_uuid(), 0, sha256(n::text::bytea),
                (('x' || left(md5(n::text), 16))::bit(64) >> 1)::bigint, 'video', now()
         from generate_series($1::bigint, $2::bigint) n`,
        [done, Math.min(done + batch, count) - 1],
      );
    await client.query("vacuum analyze output_prints");
    const { rows } = await client.query<{ size: string }>(
      "select pg_size_pretty(pg_total_relation_size('output_prints')) as size",
    );
    print(`${count} prints: ${rows[0]?.size}`);
  });
}

type Lookups = Parameters<typeof findByPrints>[0];

/** Half of the lookups ask for prints that are there. */
async function measureLookups(ctx: Lookups, ownerUrl: string) {
  const there = await withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<{ print: string }>(
      "select print::text from output_prints tablesample system (1) limit $1",
      [lookups],
    );
    return rows.map((row) => row.print);
  });
  const measure = async (prints: number) => {
    const times: number[] = [];
    for (let at = 0; at < lookups; at++) {
      const random = Array.from({ length: prints }, () =>
        String(randomBytes(8).readBigUInt64BE() >> 1n),
      );
      const near = there[at];
      const asked = near === undefined || at % 2 === 0 ? random : [near, ...random.slice(1)];
      const startedAt = performance.now();
      await findByPrints(ctx, asked);
      times.push(performance.now() - startedAt);
    }
    return percentile(times, 0.95);
  };
  return { image: await measure(askedPrints.image), video: await measure(askedPrints.video) };
}

let senders = 0;

/** Each file comes from an address of its own: one may send only so many. */
async function send(url: string, path: string): Promise<string> {
  const from = `10.${(++senders >> 16) & 255}.${(senders >> 8) & 255}.${senders & 255}`;
  const response = await fetch(`${url}/api/v1/verify`, {
    method: "POST",
    headers: { "x-forwarded-for": from },
    body: await readFile(path),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
  return (JSON.parse(text) as { result: string }).result;
}

async function measureResponses(url: string, path: string): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at <= responses; at++) {
    const startedAt = performance.now();
    await send(url, path);
    if (at > 0) times.push(performance.now() - startedAt); // the first one checks the confinement
  }
  return percentile(times, 0.5);
}

async function makeImage(seed: number, dir: string): Promise<string> {
  const raw = join(dir, "raw");
  await writeFile(raw, paint(seed, side.width, side.height));
  const pixels = ["-f", "rawvideo", "-pix_fmt", "rgba", "-s", `${side.width}x${side.height}`];
  return renderFile(join(dir, `made-${seed}.png`), [...pixels, "-i", raw, "-pix_fmt", "rgb24"]);
}

/** The picture moves slowly to the side. */
async function makeVideo(seed: number, dir: string): Promise<string> {
  const image = await makeImage(seed, dir);
  const moving = `crop=iw*0.9:ih*0.9:t*20:0,scale=${side.width}:${side.height}`;
  const encoder = ["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p"];
  const input = ["-loop", "1", "-r", "24", "-t", "1.5", "-i", image];
  return renderFile(join(dir, `made-${seed}.mp4`), [...input, "-vf", moving, ...encoder]);
}

async function countFound(url: string, ownerUrl: string, dir: string): Promise<number> {
  let found = 0;
  for (let seed = 0; seed < outputs; seed++) {
    const kind = seed % videoShare === 0 ? "video" : "image";
    const made = await (kind === "video" ? makeVideo : makeImage)(seed, dir);
    const frame = kind === "video" ? await frameOf(made, dir) : made;
    await record(ownerUrl, kind, frame === null ? null : (await makePoster(frame)).print);
    const ways = changes[kind];
    const change = ways[Math.floor(seed / videoShare + seed) % ways.length] ?? ways[0];
    const left = await renderFile(join(dir, `${seed}-${change.name}`), [
      "-i",
      made,
      ...change.args,
    ]);
    if ((await send(url, left)) === "similar") found += 1;
    else print(`not found: ${kind} ${seed} as ${change.name}`);
  }
  return found;
}

/** The frame that the poster of a video shows. */
function frameOf(path: string, dir: string): Promise<Buffer | null> {
  return extractFrame(path, "video/mp4", 750, dir, { sideMax: 480, frame: "key" });
}

async function record(ownerUrl: string, kind: string, found: string | null): Promise<void> {
  await withClient(ownerUrl, (client) =>
    client.query("insert into output_prints values ($1, 0, $2, $3, $4, now())", [
      randomUUID(),
      randomBytes(32),
      found,
      kind,
    ]),
  );
}

async function countOthers(url: string, ctx: Lookups, dir: string) {
  let similar = 0;
  for (let at = 0; at < others; at++) {
    const pixels = paint(outputs + at, small.width, small.height);
    const prints = margins.flatMap(
      (margin) => printOfPixels(small.width, small.height, pixels, margin) ?? [],
    );
    if ((await findByPrints(ctx, prints)).length > 0) similar += 1;
  }
  let made = 0;
  for (let at = 0; at < othersSent; at++)
    if ((await send(url, await makeImage(outputs + at, dir))) === "made_here") made += 1;
  return { made, similar };
}
