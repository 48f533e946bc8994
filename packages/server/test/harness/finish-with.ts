import assert from "node:assert";
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTask } from "../../src/generation/create-task.ts";
import type { TaskId } from "../../src/ids.ts";
import { mediaUrl } from "../../src/media/storage/media-url.ts";
import { storeFile } from "../../src/media/storage/objects.ts";
import { completeTask } from "../../src/tasks/complete-task.ts";
import type { TestBed } from "./test-context.ts";

export interface MadeOutput {
  taskId: TaskId;
  key: string;
  /** The link as its owner gets it. */
  link: string;
}

interface MadeFile {
  bytes: Buffer;
  /** The extension, such as `png`. */
  extension: string;
  contentType: string;
  width: number;
  height: number;
  durationMs: number | null;
}

/** A task of the account that is over, with this file as its output. */
export async function finishWith(
  { ctx }: Pick<TestBed, "ctx">,
  account: Awaited<ReturnType<TestBed["openAccount"]>>,
  { bytes, extension, contentType, ...measured }: MadeFile,
): Promise<MadeOutput> {
  const body = { model: "sd2", inputs: { prompt: "a heron lands" } };
  const { taskId } = await createTask(ctx, account, body, null);
  const dir = await mkdtemp(join(tmpdir(), "made-"));
  try {
    const path = join(dir, "file");
    await writeFile(path, bytes);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const facts = { contentType, sizeBytes: bytes.length, sha256 };
    const key = await storeFile(ctx, path, extension, facts);
    await completeTask(ctx, taskId, { key, ...facts, ...measured });
    const link = mediaUrl(ctx.config.links.publicUrl, key);
    assert(link.startsWith("http"));
    return { taskId, key, link };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
