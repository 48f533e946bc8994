import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { inParallel } from "@zoetrope/testkit/in-parallel.ts";
import pg from "pg";
import { Agent, request } from "undici";

/**
 * The least that storing a video takes: a row is committed, the file is downloaded, hashed and put in
 * its place, and the row is committed with the hash. Works off each round that its parent sends.
 */
export interface BareRound {
  /** Videos. */
  readonly count: number;
  readonly atOnce: number;
}

const [videoUrl = "", dir = "", databaseUrl = ""] = process.argv.slice(2);
const connectionsMax = 16;
const pool = new pg.Pool({ connectionString: databaseUrl, max: connectionsMax });
/** A connection is given up before the server closes it for being idle. */
const agent = new Agent({ connections: 256, keepAliveTimeout: 1_000, keepAliveMaxTimeout: 1_000 });

async function store(): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    "insert into bare_videos default values returning id",
  );
  const id = rows[0]?.id ?? "";
  const arriving = join(dir, `${id}.part`);
  const hash = createHash("sha256");
  const { body } = await request(videoUrl, { dispatcher: agent });
  await pipeline(
    body,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(arriving),
  );
  const stored = join(dir, `${id}.mp4`);
  await rename(arriving, stored);
  const sha256 = hash.digest("hex");
  await pool.query("update bare_videos set sha256 = $2 where id = $1", [id, sha256]);
  await rm(stored); // the disk of a test machine is small
}

await pool.query(
  "create table if not exists bare_videos (id bigint generated always as identity primary key, sha256 text)",
);
process.on("message", ({ count, atOnce }: BareRound) => {
  inParallel(atOnce, Array(count).keys(), store).then(
    () => process.send?.("done"),
    (error: unknown) => {
      process.stderr.write(`bare program: ${error}\n`);
      process.exit(1);
    },
  );
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
