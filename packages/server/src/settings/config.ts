import { newRingHint } from "../secrets/key-ring.ts";
import { labelPolicies } from "./label-policies.ts";
import { nearestName } from "./nearest-name.ts";
import { requireRetentionOf } from "./require-retention-of.ts";
import { fileNameOf, readWithFiles } from "./secret-files.ts";
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

/** The settings as they were read: undefined where a setting has a fault, which is reported. */
type ParsedSettings = {
  [Group in keyof Settings]: {
    [Key in keyof Settings[Group]]: Settings[Group][Key] | undefined;
  };
};

export interface Config extends Omit<Settings, "runtime" | "storage" | "database"> {
  /** `url` is that of the shard with the number `shard`. */
  database: Omit<Settings["database"], "shards"> & { shards: readonly string[] };
  isProduction: boolean;
  logLevel: Settings["runtime"]["logLevel"];
  storage: StorageConfig;
  /** The settings that work but should be changed. */
  warnings: SettingFault[];
}

type Refuse = (setting: Setting<unknown>, message: string) => null;

/** Reads the settings and reports every fault at once, with what the owners of settings that are JSON find. */
export function readConfig(
  environment: Record<string, string | undefined>,
  findFaults: (values: ParsedSettings) => SettingFault[] = () => [],
): Config {
  const { values, faults, warnings } = readWithFiles(settings, environment);
  warnings.push(...findSlips(environment));
  const refuse: Refuse = ({ name }, message) => {
    faults.push({ path: [name], message });
    return null;
  };
  const { runtime, storage: given, ...rest } = values;
  const isProduction = runtime.environment === "production";
  const storage = readStorage(given, (key, message) => refuse(settings.storage[key], message));
  if (environment["PRICE_SCHEDULE"] !== undefined)
    refuse(settings.tasks.priceBook, "is the name of PRICE_SCHEDULE now: set it instead");
  if (isProduction) checkProduction(values, refuse);
  checkPairs(values, refuse);
  faults.push(...findFaults(values));
  if (storage === null || faults.length > 0) return refuseSettings(faults, warnings);
  const database = { ...rest.database, shards: rest.database.shards ?? [rest.database.url] };
  return { ...rest, database, isProduction, logLevel: runtime.logLevel, storage, warnings };
}

/** One, if a name has no underscore: others' names, such as HOME, are as short. */
const slipEditsMax = (name: string) => (name.includes("_") ? 2 : 1);

/** Names that are no settings and close to one that is not set: typing errors. */
function findSlips(environment: Record<string, string | undefined>): SettingFault[] {
  const names = Object.values(settings)
    .flatMap((group): Setting<unknown>[] => Object.values(group))
    .flatMap((setting) =>
      setting.isSecret ? [setting.name, fileNameOf(setting)] : [setting.name],
    );
  const known = new Set(names);
  const unset = names.filter((name) => environment[name] === undefined);
  return Object.keys(environment)
    .filter((name) => !known.has(name))
    .flatMap((name) => {
      const editsMax = slipEditsMax(name);
      const alike = unset.filter(({ length }) => Math.abs(length - name.length) <= editsMax);
      const nearest = nearestName(name, alike, editsMax);
      return nearest === null
        ? []
        : [{ path: [name], message: `is no setting: did you mean ${nearest}?` }];
    });
}

/** Returns the config of another shard. */
export function configOfShard(config: Config, shard: number): Config {
  const url = config.database.shards[shard];
  if (url === undefined) throw new Error(`there is no shard ${shard}`);
  return { ...config, database: { ...config.database, url, shard } };
}

function checkProduction(values: ParsedSettings, refuse: Refuse) {
  const { fetch, labels, links, webhooks, engine, worker, secrets, oidc } = values;
  const policy = labels.policy === undefined ? null : labelPolicies[labels.policy];
  const only = "is for tests; production refuses to start with it";
  if (fetch.allowLoopback) refuse(settings.fetch.allowLoopback, only);
  if (webhooks.speed !== undefined && webhooks.speed !== 1) refuse(settings.webhooks.speed, only);
  if (policy !== null && !policy.implicit && labels.noneReason === null)
    refuse(
      settings.labels.policy,
      "production labels its outputs, as the law of China, the EU and others requires. If none of them applies to you, state why in LABEL_NONE_REASON",
    );
  if (links.publicUrl?.startsWith("https:") === false)
    refuse(
      settings.links.publicUrl,
      "must be https in production: it carries keys and media links",
    );
  const { kmsUrl } = labels;
  if (kmsUrl?.startsWith("https:") === false && !isLoopbackHost(new URL(kmsUrl).hostname))
    refuse(settings.labels.kmsUrl, "must be https in production: its token is sent there");
  if (oidc.issuer?.startsWith("https:") === false)
    refuse(settings.oidc.issuer, "must be https in production: it decides who signs in");
  if (secrets.keyRing === null)
    refuse(
      settings.secrets.keyRing,
      `production needs a key ring. Make one with ${newRingHint}, keep a copy apart from the database's backups, and set KEY_RING_FILE to its path`,
    );
  if (engine.identityKey === null && worker.host !== undefined && !isLoopbackHost(worker.host))
    refuse(
      settings.engine.identityKey,
      "production needs it unless WORKER_HOST is a loopback address: without it whoever reaches the worker's port decides how tasks end",
    );
}

function checkShards(
  { url, shards, shard = 0, sessionUrl }: ParsedSettings["database"],
  refuse: Refuse,
) {
  if (shards === undefined) return;
  const count = shards?.length ?? 1;
  if (shards !== null && url !== undefined && shards[0] !== url)
    refuse(settings.database.shards, "the first must be the same as DATABASE_URL");
  if (shard >= count)
    refuse(settings.database.shard, `must be less than ${count}: the shards are counted from 0`);
  if (count > 1 && sessionUrl !== null)
    refuse(
      settings.database.sessionUrl,
      "works with one shard: with SHARDS, connect to each directly",
    );
}

function checkLabels({ labels }: ParsedSettings, refuse: Refuse) {
  const policy = labels.policy === undefined ? null : labelPolicies[labels.policy];
  if (policy?.needsCertificate && labels.certificate === null)
    refuse(
      settings.labels.policy,
      "eu signs every output and needs LABEL_CERTIFICATE. Make one with `zoetrope labels certificate`",
    );
  if (policy !== null && !policy.visible && (labels.visibleByVendor ?? []).length > 0)
    refuse(
      settings.labels.visibleByVendor,
      "needs LABELS=cn, which alone asks for a visible label",
    );
  const { certificate, key, kmsUrl, kmsToken } = labels;
  if ((kmsUrl === null) !== (kmsToken === null))
    refuse(settings.labels.kmsUrl, "LABEL_KMS_URL and LABEL_KMS_TOKEN go together");
  if (certificate === null) {
    for (const name of ["key", "kmsUrl", "tsaUrl"] as const)
      if (labels[name] !== null && labels[name] !== undefined)
        refuse(settings.labels[name], "needs LABEL_CERTIFICATE");
    return;
  }
  if (key === null && kmsUrl === null)
    refuse(settings.labels.certificate, "needs LABEL_KEY or LABEL_KMS_URL");
  if (key !== null && kmsUrl !== null)
    refuse(settings.labels.key, "set either LABEL_KEY or LABEL_KMS_URL, not both");
}

function checkPairs(values: ParsedSettings, refuse: Refuse) {
  const { review, engine, mail, oidc, database } = values;
  checkShards(database, refuse);
  checkLabels(values, refuse);
  requireRetentionOf(values.labels.policy, values.retention, (setting, message) =>
    refuse(settings.retention[setting], message),
  );
  const { issuer, clientId, clientSecret } = oidc;
  if (new Set([issuer, clientId, clientSecret].map((part) => part === null)).size > 1)
    refuse(settings.oidc.issuer, "OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET go together");
  for (const type of ["image", "video", "audio"] as const)
    if (review[type]?.includes("vendor") && review.arkAssets === null)
      refuse(settings.review[type], "the reviewer vendor needs ARK_ASSETS");
  if ((mail.smtpUrl === null) !== (mail.from === null))
    refuse(settings.mail.from, "SMTP_URL and MAIL_FROM go together");
  if ((engine.adminUrls === null) !== (engine.workerUrl === null))
    refuse(settings.engine.workerUrl, "RESTATE_ADMIN_URL and WORKER_URL go together");
}
