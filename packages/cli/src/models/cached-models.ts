import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Model, Zoetrope } from "@zoetrope/sdk";
import { cacheDir } from "../environment.ts";
import type { Login } from "../login/find-login.ts";

/** A model that is not known, or a flag that it does not have, asks the service before that. */
const ageMsMax = 3_600_000;

/** A file of the cache for this service and key, which can see other models and assets than another key. */
function cachePath(what: string, { baseUrl, apiKey }: Login): string {
  const whose = createHash("sha256").update(`${baseUrl} ${apiKey}`).digest("hex").slice(0, 16);
  return join(cacheDir(), `${what}-${whose}.json`);
}

/** Returns the cached value, or null; a cache that cannot be read counts as empty. */
async function readCache<Value>(path: string, msMax = Infinity): Promise<Value | null> {
  try {
    const { keptAt, value } = JSON.parse(await readFile(path, "utf8")) as {
      keptAt: number;
      value: Value;
    };
    const age = Date.now() - keptAt;
    return age >= 0 && age <= msMax ? value : null;
  } catch {
    return null;
  }
}

/** A cache that cannot be written is not an error. */
async function writeCache(path: string, value: unknown): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const unfinished = `${path}.${process.pid}`;
    await writeFile(unfinished, JSON.stringify({ keptAt: Date.now(), value }), { mode: 0o600 });
    await rename(unfinished, path);
  } catch {}
}

export async function fetchModels(
  client: Zoetrope,
  login: Login,
  signal: AbortSignal,
): Promise<Model[]> {
  const { models } = await client.models({ signal });
  await writeCache(cachePath("models", login), models);
  return models;
}

/** The models as of the last hour. `isEnough` says whether they will do; if not, the service is asked. */
export async function readModels(
  client: Zoetrope,
  login: Login,
  signal: AbortSignal,
  isEnough: (models: Model[]) => boolean,
): Promise<Model[]> {
  const kept = await readCache<Model[]>(cachePath("models", login), ageMsMax);
  if (kept !== null && isEnough(kept)) return kept;
  return fetchModels(client, login, signal);
}
