import { createHash, type Hash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, rename } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { requireLivesHere } from "../../accounts/forwarding-rows.ts";
import { findTestAccount, hasAccount } from "../../accounts/queries.ts";
import type { Directory } from "../../context.ts";
import type { Db, DirectoryDb } from "../../db/database.ts";
import type { AccountId } from "../../ids.ts";
import { freeBuffers } from "../../media/free-buffers.ts";
import type { Storage } from "../../media/storage/storage.ts";
import { kinds, type StoredFile } from "./export-rows.ts";

interface ExportContext {
  db: Db;
  directory: Directory;
  storage: Storage;
}

/** The facts about one file that was written. */
interface Written {
  rows: number;
  bytes: number;
  sha256: string;
}

export interface Manifest {
  account: AccountId;
  /** The documents by path. Stored files are listed, one a line, in `files.jsonl`. */
  documents: Record<string, Written>;
  files: { stored: number; missing: number; different: number; bytes: number };
}

const rowsMax = 200;

/**
 * Writes everything of an account and its test account to a new folder: a file of JSON lines for each
 * kind of row, the stored files, and last a manifest; a folder without one is incomplete. Memory is
 * bounded by a page of rows. Rows that change meanwhile are exported as they were before or after.
 */
export async function exportAccount(
  ctx: ExportContext,
  accountId: AccountId,
  dir: string,
): Promise<Manifest | "missing"> {
  if (!(await hasAccount(ctx.db, accountId))) return "missing";
  await requireLivesHere(ctx.db, accountId);
  await mkdir(dir, { mode: 0o700 }); // an existing folder is an error: nothing is overwritten or mixed
  const manifest: Manifest = {
    account: accountId,
    documents: {},
    files: { stored: 0, missing: 0, different: 0, bytes: 0 },
  };
  const test = await findTestAccount(ctx.db, accountId);
  await exportOne(ctx, accountId, { root: dir, part: "" }, manifest);
  if (test !== undefined) {
    await mkdir(join(dir, "test"), { mode: 0o700 });
    await exportOne(ctx, test, { root: dir, part: "test/" }, manifest);
  }
  await writeManifest(dir, manifest);
  return manifest;
}

interface ExportFolder {
  root: string;
  /** The folder within it. */
  part: string;
}

async function exportOne(
  ctx: ExportContext,
  accountId: AccountId,
  target: ExportFolder,
  manifest: Manifest,
) {
  const list = await openLines(join(target.root, target.part, "files.jsonl"));
  for (const kind of kinds) {
    const name = `${kind.name}.jsonl`;
    const lines = await openLines(join(target.root, target.part, name));
    for await (const row of rowsOf(ctx, accountId, kind)) {
      for (const file of await filesOf(ctx, kind, row)) {
        const copied = await copyFile(ctx.storage, file, target);
        manifest.files[copied.state] += 1;
        manifest.files.bytes += copied.bytes;
        await list.write({ ...copied, of: { [kind.name]: row["id"] } });
      }
      await lines.write(row);
    }
    manifest.documents[target.part + name] = await lines.close();
  }
  manifest.documents[`${target.part}files.jsonl`] = await list.close();
}

async function* rowsOf(
  { db, directory }: ExportContext,
  accountId: AccountId,
  kind: (typeof kinds)[number],
) {
  if (kind.at !== "directory") yield* rowsIn(db, accountId, kind);
  if (kind.at === "directory" || (kind.at === "both" && directory.shard === null))
    yield* rowsIn(directory.db, accountId, kind);
}

async function* rowsIn(db: Db | DirectoryDb, accountId: AccountId, kind: (typeof kinds)[number]) {
  let after: Record<string, unknown> | null = null;
  for (;;) {
    const rows: Record<string, unknown>[] = await kind.read(db, accountId, after, rowsMax);
    yield* rows;
    after = rows.at(-1) ?? null;
    if (rows.length < rowsMax) return;
  }
}

async function filesOf(
  { storage }: ExportContext,
  kind: (typeof kinds)[number],
  row: Record<string, unknown>,
): Promise<StoredFile[]> {
  if (kind.chunksOf === undefined) return kind.filesOf?.(row) ?? [];
  const keys = [...(await storage.listChunks(kind.chunksOf(row))).keys()].sort();
  return keys.map((key) => ({ folder: "chunks", key, sha256: null }));
}

/** `missing`: no longer kept. `different`: its bytes are not those that were recorded. */
async function copyFile(
  storage: Storage,
  { folder, key, sha256 }: StoredFile,
  target: ExportFolder,
) {
  const path = `${target.part}${folder}/${key}`;
  const stream = await storage.openRead(key);
  if (stream === null) return { path, state: "missing" as const, bytes: 0, sha256 };
  await mkdir(join(target.root, target.part, folder), { recursive: true, mode: 0o700 });
  const hash = createHash("sha256");
  const file = createWriteStream(join(target.root, path), { mode: 0o600 });
  await pipeline(stream, freeBuffers(), hashing(hash), file);
  const found = hash.digest("hex");
  const state = sha256 === null || sha256 === found ? ("stored" as const) : ("different" as const);
  return { path, state, bytes: file.bytesWritten, sha256: found };
}

function hashing(hash: Hash) {
  return async function* (bytes: AsyncIterable<Buffer>) {
    for await (const chunk of bytes) {
      hash.update(chunk);
      yield chunk;
    }
  };
}

/** A file of JSON lines, written as the rows come. */
async function openLines(path: string) {
  const file = await open(path, "wx", 0o600);
  const hash = createHash("sha256");
  const written = { rows: 0, bytes: 0 };
  return {
    async write(row: object): Promise<void> {
      const line = Buffer.from(`${JSON.stringify(row)}\n`);
      await file.appendFile(line);
      hash.update(line);
      written.rows += 1;
      written.bytes += line.length;
    },
    async close(): Promise<Written> {
      await file.close();
      return { ...written, sha256: hash.digest("hex") };
    },
  };
}

async function writeManifest(dir: string, manifest: Manifest): Promise<void> {
  const path = join(dir, "manifest.json");
  const file = await open(`${path}.part`, "wx", 0o600);
  try {
    await file.writeFile(`${JSON.stringify(manifest, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.part`, path);
}
