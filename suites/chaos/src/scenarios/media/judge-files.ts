import { createHash } from "node:crypto";
import type { Client } from "pg";
import type { FileServer } from "./file-server.ts";
import type { MediaFile } from "./media-file.ts";
import { paramAt } from "./requests.ts";
import { type AssetView, fetchesOf, type Offered, type Tried } from "./try-files.ts";

interface TaskRow {
  id: string;
  status: string;
  error: string | null;
  errorCode: string | null;
  settlement: string | null;
  inputs: { param: string; sha256: string }[] | null;
}

/** Returns the faults of the outcomes, one sentence each. */
export async function judgeFiles(
  db: Client,
  server: FileServer,
  all: readonly Offered[],
): Promise<string[]> {
  const tasks = await readTasks(db);
  const wrong: string[] = [];
  for (const offered of all) {
    const { file, asset, tried } = offered;
    const faults = [
      ...(await faultsOfAsset(file, asset)),
      ...tried.flatMap((one) => faultsOfTrial(file, one, tasks)),
      ...faultsOfFetches(offered, server),
    ];
    wrong.push(...faults.map((fault) => `${file.name}: ${fault}`));
  }
  return wrong;
}

async function readTasks(db: Client): Promise<Map<string, TaskRow>> {
  const { rows } = await db.query<TaskRow>(`
    select id, status, error_message as error, error_code as "errorCode", inputs,
      (select string_agg(kind, ' ') from transfers t
        where t.cause_id = tasks.id and kind in ('capture', 'release')) as settlement
    from tasks`);
  return new Map(rows.map((row) => [row.id, row]));
}

async function faultsOfAsset(file: MediaFile, asset: AssetView): Promise<string[]> {
  const { upload } = file;
  if (upload.kind === "refused")
    return asset.status === "FAILED" && asset.failReason === upload.reason
      ? []
      : [`should be refused with "${upload.reason}", is ${describe(asset)}`];
  const { ending, ...facts } = upload.facts;
  const measured = { width: asset.width, height: asset.height, seconds: asset.duration };
  if (JSON.stringify(measured) !== JSON.stringify(facts))
    return [`should be ${JSON.stringify(facts)}, is ${describe(asset)}`];
  return faultsOfCopy(file, ending, asset.storageUrl ?? "");
}

const contentTypes: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  webp: "image/webp",
  bmp: "image/bmp",
  mp4: "video/mp4",
  mov: "video/quicktime",
  webm: "video/webm",
  mp3: "audio/mpeg",
  wav: "audio/wav",
};

/** The copy has the bytes of the first fetch, and its link is served with the type of its format alone. */
async function faultsOfCopy(file: MediaFile, ending: string, url: string): Promise<string[]> {
  const response = await fetch(url, { method: file.zerosAfter === undefined ? "GET" : "HEAD" });
  const bytes = Buffer.from(await response.arrayBuffer());
  const type = response.headers.get("content-type") ?? "none";
  const isFixed = response.headers.get("x-content-type-options") === "nosniff";
  const isSame = file.zerosAfter !== undefined || bytes.equals(file.body);
  return [
    ...(isSame ? [] : ["its copy has other bytes"]),
    ...(type === contentTypes[ending] ? [] : [`its copy is served as ${type}, not as ${ending}`]),
    ...(isFixed ? [] : ["its copy's type may be guessed by a browser"]),
  ];
}

function faultsOfTrial(
  file: MediaFile,
  { trial, use, request, taskId }: Tried,
  tasks: ReadonlyMap<string, TaskRow>,
): string[] {
  const answered = JSON.stringify(request === "none" ? "nothing" : request.body);
  const sentence = `${paramAt(trial.entryPoint)}: ${trial.fault}`;
  if (trial.via === "asset") {
    const isRefused = request !== "none" && request.status === 400 && answered.includes(sentence);
    if (trial.fault !== null)
      return isRefused ? [] : [`${use} should answer "${sentence}", was ${answered}`];
  }
  const task = taskId === null ? undefined : tasks.get(taskId);
  if (task === undefined) return [`${use} was not taken: ${answered}`];
  const money = faultsOfMoney(use, task);
  const was = `${task.status} ${task.errorCode} "${task.error}"`;
  if (trial.fault === null && !hasReachedVendor(task))
    return [...money, `${use} should reach the vendor, is ${was}`];
  if (trial.via === "asset") return money;
  if (trial.fault !== null) {
    const code = trial.fault.includes("fetched") ? "input_unreachable" : "input_unusable";
    const isRight =
      task.errorCode === code &&
      task.inputs === null &&
      task.error?.startsWith(`${paramAt(trial.entryPoint)}: `) === true &&
      task.error.includes(trial.fault);
    return isRight ? money : [...money, `${use} should fail with ${code} "${sentence}", is ${was}`];
  }
  const pinned = task.inputs?.find(({ param }) => param === paramAt(trial.entryPoint));
  const isSame = pinned?.sha256 === createHash("sha256").update(file.body).digest("hex");
  if (pinned !== undefined && isSame === !trial.isConverted) return money;
  return [...money, `${use} should be pinned, is ${was}`];
}

/** Videos are refused there as requested; images are made. */
function hasReachedVendor({ status, errorCode }: TaskRow): boolean {
  return status === "COMPLETED" || errorCode === "vendor_failed";
}

function faultsOfMoney(use: string, { status, settlement }: TaskRow): string[] {
  const rightly = status === "COMPLETED" ? "capture" : "release";
  return settlement === rightly ? [] : [`${use} is ${status}, yet ${settlement}`];
}

/**
 * Returns a fault unless the file was fetched once, whatever it is, or again only where a
 * connection broke.
 */
function faultsOfFetches(offered: Offered, server: FileServer): string[] {
  const { contentLength, body, zerosAfter = 0 } = offered.file;
  const isBroken = typeof contentLength === "number" && contentLength > body.length + zerosAfter;
  return fetchesOf(offered, server).flatMap(({ use, times }) =>
    (isBroken ? times >= 1 : times === 1) ? [] : [`${use} fetched it ${times} times`],
  );
}

function describe({ status, failReason, width, height, duration }: AssetView): string {
  if (status === "FAILED") return `refused with "${failReason}"`;
  return `${status} ${width}x${height} ${duration} s`;
}
