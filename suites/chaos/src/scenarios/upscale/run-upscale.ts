import { join } from "node:path";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { fenceNoteOf } from "@zoetrope/server/media/storage/fence.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import type { Client } from "pg";
import { offerClip } from "../../kit/clip.ts";
import { filesIn } from "../../kit/files-in.ts";
import { printFaults } from "../../kit/tally.ts";
import { toolsAtWorkOn } from "../../kit/watch-tools.ts";
import { auditSegments } from "./audit-segments.ts";
import {
  drainAtHalf,
  type Ending,
  expire,
  killAtHalf,
  type UpscaleRun,
  upscaleClip,
} from "./disturb-upscale.ts";

const serverEnv = {
  UPSCALE_SEGMENTS_MAX: "1", // two workers, two cores
  UPSCALE_SEGMENT_MEGAPIXELS: "60",
  UPSCALE_PRESET: "ultrafast",
  SWEEP_INTERVAL_MS: "500",
};
const credits = 100_000;
const settleMsMax = 10_000;
const leftMsMax = 90_000;

/** An upscale whose workers are killed, stopped and overtaken by the deadline. Returns whether every check passed. */
export async function runUpscale(seconds: number): Promise<boolean> {
  await using scratch = await makeScratch("upscale");
  await using clip = await offerClip(scratch.path, seconds);
  await using stack = await startStack({ dir: scratch.path, serverEnv });
  const second = await stack.startServer({ role: "worker", name: "worker-2" });
  const { key } = await stack.openAccount({ name: "upscale", credits });
  const caller = { apiUrl: stack.apiUrl, key };
  return await withClient(stack.databaseOwnerUrl, async (db) => {
    await auditSegments(db);
    const run: UpscaleRun = {
      caller,
      db,
      clipUrl: clip.url,
      seconds,
      first: stack.worker,
      second,
    };
    const calm = await upscaleClip(run, "undisturbed", async () => {});
    const killed = await upscaleClip(run, "SIGKILL", killAtHalf);
    const drained = await upscaleClip(run, "SIGTERM", drainAtHalf);
    await second.restart();
    const ageMsMax = Math.round(calm.startMs + calm.workMs);
    const env = { UPSCALE_AGE_MAX_MS: String(ageMsMax) };
    const hurried = await stack.startServer({ role: "api", name: "hurried-api", env });
    const wrong = [
      ...[calm, killed, drained].flatMap((ending) => ending.wrong),
      ...judgeKill(killed),
      ...(await expire(run, { apiUrl: hurried.url, key }, clip.url)),
      ...(await judgeLeft(stack, db, scratch.path, second.workDir)),
    ];
    return conclude([calm, killed, drained], killed, wrong);
  });
}

/** Exactly the segment that the killed worker had leased started over. */
function judgeKill({ notes }: Ending): string[] {
  const taken = notes.filter(({ what }) => what === "taken").map(({ number }) => number);
  const twice = taken.filter((number, index) => taken.indexOf(number) !== index);
  return twice.length === 1 ? [] : [`SIGKILL: segments ${twice.join(", ") || "none"} begun anew`];
}

/** Only the results and the mark of the database are left: no rows, objects, files or processes. */
async function judgeLeft(
  stack: Stack,
  db: Client,
  dir: string,
  secondWorkDir: string,
): Promise<string[]> {
  const wrong: string[] = [];
  const { rows } = await db.query<{ key: string }>(
    "select media->>'key' as key from tasks, jsonb_array_elements(output) as media",
  );
  const results = new Set(rows.map(({ key }) => key));
  const kept = new Set([...results, fenceNoteOf(0)]);
  const leftovers = async () =>
    (await filesIn(join(dir, "media"))).filter((name) => !kept.has(name));
  await waitUntil("segments and sources are gone", async () => (await leftovers()).length === 0, {
    timeoutMs: settleMsMax,
  }).catch(() => {});
  // An object that a killed worker was storing is recorded and collected after a day: expire it now.
  const { rowCount: left } = await db.query(
    "update media_objects set expires_at = now() where not key = any($1)",
    [[...results]],
  );
  print(`${left ?? 0} objects were left for the collector`);
  const works = [join(dir, "work"), secondWorkDir];
  const isClean = async () =>
    (await leftovers()).length === 0 && (await Promise.all(works.map(filesIn))).flat().length === 0;
  await waitUntil("nothing is left", isClean, { timeoutMs: leftMsMax }).catch(async () => {
    const files = (await Promise.all(works.map(filesIn))).flat();
    wrong.push(`left: ${[...(await leftovers()), ...files].join(", ")}`);
  });
  const { rows: counts } = await db.query<{ open: number }>(
    "select ((select count(*) from upscales) + (select count(*) from upscale_segments) + (select count(*) from open_tasks))::int as open",
  );
  if (counts[0]?.open !== 0) wrong.push(`${counts[0]?.open} rows are left`);
  for (const tool of await toolsAtWorkOn(dir)) wrong.push(`${tool} is still at work`);
  const ledger = await stack.operate("ledger", "verify");
  if (ledger["breaches"] !== 0) wrong.push(`the ledger: ${JSON.stringify(ledger)}`);
  return wrong;
}

function conclude(endings: readonly Ending[], killed: Ending, wrong: readonly string[]): boolean {
  printFaults("WRONG", wrong, wrong.length);
  const done = killed.notes.filter(({ what }) => what === "done");
  const segments = new Set(done.map(({ number }) => number)).size;
  const again = done.length - segments;
  const isSame = new Set(endings.map(({ sha256 }) => sha256)).size === 1;
  print(
    `segments=${segments} encoded_again=${again} same_bytes=${isSame} charges=${killed.charges}`,
  );
  return wrong.length === 0 && again === 0 && isSame && killed.charges === 1;
}
