import { newRingHint } from "./key-ring.ts";
import { readWithFiles } from "./secret-files.ts";
import {
  isLoopbackHost,
  refuseSettings,
  type Setting,
  type SettingFault,
  type Values,
} from "./setting.ts";
import { settings } from "./settings.ts";
import { readStorage, type StorageConfig } from "./storage-config.ts";

type Settings = Values<typeof settings>;

export interface Config extends Omit<Settings, "runtime" | "storage" | "database"> {
  /** `url` is that of the shard with the number `shard`. */
  database: Omit<Settings["database"], "shards"> & { shards: readonly string[] };
  isProduction: boolean;
  logLevel: Settings["runtime"]["logLevel"];
  storage: StorageConfig;
  /** What works but should be changed. */
  warnings: SettingFault[];
}

type Refuse = (setting: Setting<unknown>, message: string) => null;

/** Reads the settings and reports every fault at once. JSON is checked by its owners, when they open. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const { values, faults, warnings } = readWithFiles(settings, environment);
  if (faults.length > 0) refuseSettings(faults);
  const refuse: Refuse = ({ name }, message) => {
    faults.push({ path: [name], message });
    return null;
  };
  const { runtime, storage: given, ...rest } = values;
  const isProduction = runtime.environment === "production";
  const storage = readStorage(given, (key, message) => refuse(settings.storage[key], message));
  if (isProduction) checkProduction(values, refuse);
  checkPairs(values, refuse);
  if (storage === null || faults.length > 0) return refuseSettings(faults);
  const database = { ...rest.database, shards: rest.database.shards ?? [rest.database.url] };
  return { ...rest, database, isProduction, logLevel: runtime.logLevel, storage, warnings };
}

/** The same for another shard. */
export function configOfShard(config: Config, shard: number): Config {
  const url = config.database.shards[shard];
  if (url === undefined) throw new Error(`there is no shard ${shard}`);
  return { ...config, database: { ...config.database, url, shard } };
}

function checkProduction(values: Settings, refuse: Refuse) {
  const { fetch, links, webhooks, engine, worker, secrets, oidc } = values;
  const only = "is for tests; production refuses to start with it";
  if (fetch.allowLoopback) refuse(settings.fetch.allowLoopback, only);
  if (webhooks.speed !== 1) refuse(settings.webhooks.speed, only);
  if (!links.publicUrl.startsWith("https:"))
    refuse(
      settings.links.publicUrl,
      "must be https in production: it carries keys and media links",
    );
  if (oidc.issuer !== null && !oidc.issuer.startsWith("https:"))
    refuse(settings.oidc.issuer, "must be https in production: it decides who signs in");
  if (secrets.keyRing === null)
    refuse(
      settings.secrets.keyRing,
      `production needs a key ring. Make one with ${newRingHint}, keep a copy apart from the database's backups, and set KEY_RING_FILE to its path`,
    );
  if (engine.identityKey === null && !isLoopbackHost(worker.host))
    refuse(
      settings.engine.identityKey,
      "production needs it unless WORKER_HOST is a loopback address: without it whoever reaches the worker's port decides how tasks end",
    );
}

function checkShards({ url, shards, shard, sessionUrl }: Settings["database"], refuse: Refuse) {
  const count = shards?.length ?? 1;
  if (shards !== null && shards[0] !== url)
    refuse(settings.database.shards, "the first must be the same as DATABASE_URL");
  if (shard >= count)
    refuse(settings.database.shard, `must be less than ${count}: the shards are counted from 0`);
  if (count > 1 && sessionUrl !== null)
    refuse(
      settings.database.sessionUrl,
      "works with one shard: with SHARDS, connect to each directly",
    );
}

function checkPairs({ review, engine, mail, oidc, database }: Settings, refuse: Refuse) {
  checkShards(database, refuse);
  const { issuer, clientId, clientSecret } = oidc;
  if (new Set([issuer, clientId, clientSecret].map((part) => part === null)).size > 1)
    refuse(settings.oidc.issuer, "OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET go together");
  for (const type of ["image", "video", "audio"] as const)
    if (review[type].includes("vendor") && review.arkAssets === null)
      refuse(settings.review[type], "the reviewer vendor needs ARK_ASSETS");
  if ((mail.smtpUrl === null) !== (mail.from === null))
    refuse(settings.mail.from, "SMTP_URL and MAIL_FROM go together");
  if ((engine.adminUrls === null) !== (engine.workerUrl === null))
    refuse(settings.engine.workerUrl, "RESTATE_ADMIN_URL and WORKER_URL go together");
}
