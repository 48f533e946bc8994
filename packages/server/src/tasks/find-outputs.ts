import { sql } from "kysely";
import type { Context } from "../context.ts";
import type { Db } from "../db/database.ts";
import type { StoredMedia } from "../db/tables/tasks.ts";
import { type AccountId, parseId, type TaskId } from "../ids.ts";
import { mediaUrl } from "../media/storage/media-url.ts";
import { isObjectKey, isPrivateKey } from "../media/storage/storage.ts";
import type { AssetFacts } from "../models/asset-rules.ts";
import { type OutputRef, parseOutput, textOfOutput } from "../models/output-ref.ts";

/** Outputs as inputs: what names one, and where it is stored. Nothing is fetched. */

/** No request names more files. */
const namesMax = 16;

/**
 * Returns the output that each text names, by its reference or its link; `gone` if the link is one of ours
 * to no stored file; null if it is anything else.
 */
export async function readOutputNames(
  { db, config }: Context,
  texts: readonly unknown[],
): Promise<(OutputRef | "gone" | null)[]> {
  if (texts.length > namesMax) return texts.map(() => null); // refused for their number
  const keys = texts.map((text) => keyOfLink(config.links.publicUrl, text));
  const linked = await findLinked(
    db,
    keys.filter((key) => key !== null),
  );
  return texts.map((text, index) => {
    const key = keys[index] ?? null;
    if (key !== null) return linked.get(key) ?? (linked.has(key) ? null : "gone");
    return typeof text === "string" ? parseOutput(text) : null;
  });
}

/** The object of a link to an output, as the service gives it. Null for any other text. */
function keyOfLink(publicUrl: string, text: unknown): string | null {
  if (typeof text !== "string") return null;
  const key = text.slice(text.lastIndexOf("/") + 1);
  if (!isObjectKey(key) || isPrivateKey(key)) return null;
  return URL.parse(text)?.href === URL.parse(mediaUrl(publicUrl, key))?.href ? key : null;
}

/**
 * Returns the outputs of stored objects by key; null for an object that is none. Their owners are not
 * checked.
 */
async function findLinked(db: Db, keys: string[]): Promise<Map<string, OutputRef | null>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom("media_objects")
    .leftJoin("tasks", "tasks.id", "media_objects.task_id")
    .select(["media_objects.key", "tasks.id", "tasks.output"])
    .where("media_objects.key", "in", keys)
    .execute();
  return new Map(
    rows.map(({ key, id, output }) => {
      const index = output?.findIndex((media) => media.key === key) ?? -1;
      return [key, id === null || index < 0 ? null : { task: id, index }];
    }),
  );
}

/** The account's own outputs that are still stored, by reference. All others are like ones that do not exist. */
export async function findOutputs(
  db: Db,
  accountId: AccountId,
  refs: readonly OutputRef[],
): Promise<Map<string, StoredMedia>> {
  if (refs.length === 0) return new Map();
  const taskIds = new Set(refs.flatMap(({ task }) => parseId<TaskId>(task) ?? []));
  if (taskIds.size === 0) return new Map();
  const tasks = await db
    .selectFrom("tasks")
    .select(["id", "output"])
    .where("id", "in", [...taskIds])
    .where("account_id", "=", accountId)
    .where("status", "=", "COMPLETED")
    .execute();
  const found = refs.flatMap((ref): [string, StoredMedia][] => {
    const media = tasks.find(({ id }) => id === ref.task)?.output?.[ref.index];
    return media === undefined ? [] : [[textOfOutput(ref), media]];
  });
  const stored = await findStored(
    db,
    found.map(([, { key }]) => key),
  );
  return new Map(found.filter(([, { key }]) => stored.has(key)));
}

/** Deleted media has no record, and an expired file is about to have none. */
async function findStored(db: Db, keys: string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await db
    .selectFrom("media_objects")
    .select("key")
    .where("key", "in", keys)
    .where((row) =>
      row.or([row("expires_at", "is", null), row("expires_at", ">", sql<Date>`now()`)]),
    )
    .execute();
  return new Set(rows.map(({ key }) => key));
}

/** Returns one output; undefined if there is no such output. */
export async function findOutput(
  db: Db,
  accountId: AccountId,
  ref: OutputRef,
): Promise<StoredMedia | undefined> {
  return (await findOutputs(db, accountId, [ref])).get(textOfOutput(ref));
}

/** Returns the facts about an output that rules and prices need. It needs no review: it was made here. */
export function factsOfOutput(
  media: StoredMedia,
): AssetFacts & { contentType: string; sizeBytes: number; frames: number | null } {
  const { contentType, sizeBytes, width, height, durationMs, frames = null } = media;
  const type = contentType.startsWith("video/") ? "VIDEO" : "IMAGE";
  return { type, status: "ACTIVE", contentType, sizeBytes, width, height, durationMs, frames };
}
