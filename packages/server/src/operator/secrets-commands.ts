import type { ShardContext } from "../context.ts";
import { readCurrentKey, replaceCurrentKey } from "../secrets/current-key.ts";
import type { KeyRing } from "../secrets/key-ring.ts";
import { secretKinds } from "../secrets/kinds.ts";
import { countByKey, reencrypt } from "../secrets/reencrypt.ts";
import { type Commands, type Options, type Report, readText } from "./command.ts";
import { requireKeyRing, withDatabase } from "./with-database.ts";

export const secretsCommands: Commands = {
  "secrets list": {
    takes: "",
    does: "shows how many secrets each key of the key ring has encrypted",
    run: () => withDatabase((_db, _pool, ctx) => list(ctx, requireKeyRing())),
  },
  "secrets reencrypt": {
    takes: "[--lost KEY]",
    does: "encrypts every secret with the first key of the key ring, while the service runs; can be stopped and repeated. --lost: goes on without the key of this id, which encrypted until now",
    run: (options) => withDatabase((_db, _pool, ctx) => reencryptAll(ctx, options)),
  },
};

async function list({ db, directory }: ShardContext, ring: KeyRing): Promise<Report> {
  const counts = new Map<string, number>();
  for (const kind of secretKinds)
    await countByKey(kind.database === "shard" ? db : directory.db, kind, counts);
  const ids = [...new Set([...ring.keys.keys(), ...counts.keys()])];
  const { id: current, earlierIds } = await readCurrentKey(directory.db);
  const facts = ids.map((id) => ({
    key: id,
    secrets: counts.get(id) ?? 0,
    use: id === "none" ? "not encrypted" : useOf(ring, id),
  }));
  const isDone = ids.every((id) => id === ring.currentId || !counts.has(id));
  if (!isDone) return { facts, next: "run 'secrets reencrypt'" };
  if (current !== null && current !== ring.currentId)
    return { facts, next: "restart api and worker with this key ring" };
  const others = ids.filter((id) => id !== ring.currentId);
  const unused = others.filter((id) => !earlierIds.includes(id));
  if (unused.length > 0)
    return {
      facts,
      next: `keep ${unused.join(", ")} unless you know that it was replaced; to encrypt with it, make it the first line and restart api and worker`,
    };
  if (others.length === 0) return { facts };
  return { facts, next: `remove ${others.join(", ")} when no backup that needs it is kept` };
}

function useOf(ring: KeyRing, id: string): string {
  if (!ring.keys.has(id)) return "missing in the key ring";
  return id === ring.currentId ? "encrypts and decrypts" : "decrypts";
}

async function reencryptAll({ db, directory }: ShardContext, options: Options): Promise<Report> {
  const ring = requireKeyRing();
  const lost = options["lost"] === undefined ? null : readText(options, "lost");
  await replaceCurrentKey(directory.db, ring, lost);
  const reencrypted: Record<string, number> = {};
  const lines: Record<string, string>[] = [];
  let failed = 0;
  for (const kind of secretKinds) {
    const done = await reencrypt(kind.database === "shard" ? db : directory.db, kind, ring);
    reencrypted[kind.name] = done.reencrypted;
    failed += done.failed;
    for (const { id, reason } of done.failures) lines.push({ [kind.owner]: id, reason });
  }
  const next =
    lines.length === 0
      ? "run 'secrets list'"
      : "add the missing key, or replace the webhook secrets, vendor keys and authenticator apps in this list";
  return {
    facts: [
      {
        key: ring.currentId,
        ...reencrypted,
        failed,
      },
      ...lines,
    ],
    next,
  };
}
