import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { residentMb, residentMbMax } from "@zoetrope/testkit/process-tree.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import type { Client } from "pg";
import { filesIn } from "../../kit/files-in.ts";
import { png } from "../../kit/png.ts";
import { printFaults } from "../../kit/tally.ts";
import { toolsAtWorkOn, watchTools } from "../../kit/watch-tools.ts";
import { startFileServer } from "./file-server.ts";
import { makeFiles } from "./files/all-files.ts";
import { h264, moving, openRenderer } from "./files/render.ts";
import { judgeFiles } from "./judge-files.ts";
import { runMarks } from "./marks/run-marks.ts";
import { image, type MediaFile, trialsOf } from "./media-file.ts";
import { listOutside, plantCanary } from "./outside.ts";
import { tryFiles } from "./try-files.ts";

/** The memory limit of a child: the limit of its address space, and the little that bubblewrap adds. */
const childAddressMbMax = 1_100;

const serverEnv = {
  LOG_LEVEL: "info",
  REVIEW_IMAGE: "",
  REVIEW_VIDEO: "",
  REVIEW_AUDIO: "",
  STEP_RETRY_MS_MAX: "4000", // a connection that breaks every time is given up soon
};
const sandboxEnv = {
  SANDBOX_QUEUED_MS: "50",
  SANDBOX_RUNNING_MS: "50",
  SANDBOX_IMAGE_MS: "50",
  SANDBOX_DRAFT: "false", // the bytes of real media are the load
};

const good: MediaFile = {
  name: "good.png",
  declaredType: "IMAGE",
  body: png(500, 500),
  upload: image(500, 500, "png"),
};

/**
 * Bad and odd files at every entry point that takes files, and hostile marks wherever marks are read. Returns whether each had the
 * stated outcome.
 */
export async function runMedia(): Promise<boolean> {
  await using scratch = await makeScratch("media-files");
  const [renderDir, tmpDir] = [join(scratch.path, "renderer"), join(scratch.path, "tmp")];
  await mkdir(renderDir);
  await mkdir(tmpDir);
  const renderer = openRenderer(renderDir);
  await using server = await startFileServer(scratch.path);
  const canary = await plantCanary(
    join(scratch.path, "canary.mp4"),
    await renderer.render("canary.mp4", ...moving(64, 64, 25, 1), ...h264),
  );
  const files = await makeFiles(renderer, { url: server.canaryUrl, path: canary.path });
  server.serve([good, ...files]);
  const uses = files.reduce((sum, file) => sum + trialsOf(file).length, 0);
  print(`${files.length} files, ${files.length} uploads and ${uses} uses in tasks`);

  await using stack = await startStack({
    dir: scratch.path,
    serverEnv: { ...serverEnv, ...server.env, TMPDIR: tmpDir },
    sandboxEnv,
  });
  const account = { name: "media", credits: 10_000_000, openTasksMax: uses };
  const { key } = await stack.openAccount(account);
  const databaseUrl = stack.databaseOwnerUrl;
  return await withClient(databaseUrl, async (db) => {
    const before = { pid: stack.worker.pid, outside: await listOutside() };
    await using children = watchTools(stack.worker.pid);
    const marks = await runMarks(scratch.path, renderer, server.canaryUrl);
    const run = { apiUrl: stack.apiUrl, key, db, databaseUrl, server, good };
    const offered = await tryFiles(run, files);
    const wrong = [
      ...marks.wrong,
      ...(await judgeFiles(db, server, offered)),
      ...(await judgeWorker(stack, before.pid)),
      ...(await judgeTraces(scratch.path, before.outside)),
      ...(await judgeStored(db, scratch.path)),
    ];
    if (server.canaryAsked() > 0) wrong.push("the address that files point at was asked");
    if (!(await canary.isUnread())) wrong.push("the file that files point at was read");
    else if (!(await canary.wouldShow())) wrong.push("it is unknown whether that file was read");
    print(
      `${children.seen} children seen, at most ${children.residentMbMax} MB resident and ${children.addressMbMax} MB of addresses each; worker at most ${await residentMbMax(stack.worker.pid)} MB`,
    );
    if (children.seen === 0) wrong.push("no child was seen: nothing was measured");
    if (children.addressMbMax > childAddressMbMax)
      wrong.push("a child had more memory than it may");
    printFaults("WRONG", wrong, wrong.length);
    print(`files=${files.length + marks.count} wrong=${wrong.length}`);
    return wrong.length === 0;
  });
}

async function judgeWorker(stack: Stack, pidBefore: number): Promise<string[]> {
  const isAlive = await residentMb(stack.worker.pid).then(
    () => stack.worker.pid === pidBefore,
    () => false,
  );
  const ledger = await stack.operate("ledger", "verify");
  return [
    ...(isAlive ? [] : ["the worker is not the one that began"]),
    ...(ledger["breaches"] === 0 ? [] : [`the ledger: ${JSON.stringify(ledger)}`]),
  ];
}

/** No tool runs, work folders are empty, and nothing is new elsewhere. */
async function judgeTraces(dir: string, outside: ReadonlySet<string>): Promise<string[]> {
  const left = [...(await filesIn(join(dir, "work"))), ...(await filesIn(join(dir, "tmp")))];
  const strange = [...(await listOutside())].filter((path) => !outside.has(path));
  return [
    ...(await toolsAtWorkOn(dir)).map((tool) => `${tool} is still at work`),
    ...left.map((name) => `${name} is left in a folder for work`),
    ...strange.map((path) => `${path} is new`),
  ];
}

/** Storage has what rows refer to and nothing else. */
async function judgeStored(db: Client, dir: string): Promise<string[]> {
  const { rows } = await db.query<{ key: string | null }>(`
    select storage_key as key from assets where storage_key is not null
    union all select input->>'key' from tasks, jsonb_array_elements(inputs) as input
    union all select unnest(array[media->>'key', media->'poster'->>'key'])
      from tasks, jsonb_array_elements(output) as media`);
  const known = new Set(rows.flatMap(({ key }) => key ?? []));
  const notes = await filesIn(join(dir, "media", "notes"));
  const stored = (await filesIn(join(dir, "media"))).filter((name) => !notes.includes(name));
  return [
    ...stored.filter((name) => !known.has(name)).map((name) => `${name} is stored for nobody`),
    ...[...known].filter((key) => !stored.includes(key)).map((key) => `${key} is not stored`),
  ];
}
