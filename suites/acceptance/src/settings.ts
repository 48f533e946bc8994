/** API keys of the accounts that the tests use. */
export interface Keys {
  readonly main: string;
  readonly other: string;
  readonly limited: string;
  readonly poor: string;
  readonly scheduleB: string;
  /** A key of the main account with the scope `read` alone. */
  readonly reader: string | null;
  /** A key of the main account with a limit of 10 requests a minute. */
  readonly slow: string | null;
  /** A key of an account that nothing else uses, with the scopes `keys` and `read`. */
  readonly keeper: string | null;
}

/** All that the suite knows of the service under test. */
export interface Settings {
  readonly url: string;
  readonly keys: Keys;
  /** Whether sandbox directives in a prompt take effect. */
  readonly hasSandbox: boolean;
  /** Whether the service calls back to this machine's loopback address. */
  readonly callsLoopback: boolean;
  /** A short video that the service can fetch, with a short side below 1080. */
  readonly videoUrl: string | null;
  /** The address of an api of the same service whose tasks have a maximum age of seconds. */
  readonly hurriedUrl: string | null;
  /** The control of the sandbox: what its vendors do next can be scripted there. */
  readonly sandbox: { readonly url: string; readonly token: string } | null;
  /** A key of an account with 2 open assets, 2 open uploads and 1 MB of storage at most. */
  readonly smallLibraryKey: string | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

const keyNames = {
  main: "ZOETROPE_KEY",
  other: "ZOETROPE_KEY_OTHER",
  limited: "ZOETROPE_KEY_LIMITED",
  poor: "ZOETROPE_KEY_POOR",
  scheduleB: "ZOETROPE_KEY_B",
} as const;
const moreKeyNames = {
  reader: "ZOETROPE_KEY_READ",
  slow: "ZOETROPE_KEY_SLOW",
  keeper: "ZOETROPE_KEY_KEEPER",
} as const;
const urlName = "ZOETROPE_URL";
/** JSON, one entry per worker; only where the suite has opened the accounts itself. */
const workerKeysName = "ZOETROPE_KEYS_OF_WORKERS";
const sandboxName = "ZOETROPE_SANDBOX";
const loopbackName = "ZOETROPE_LOOPBACK";
const videoName = "ZOETROPE_VIDEO";
const hurriedName = "ZOETROPE_URL_HURRIED";
const sandboxUrlName = "ZOETROPE_URL_SANDBOX";
const sandboxTokenName = "ZOETROPE_SANDBOX_TOKEN";
const smallLibraryName = "ZOETROPE_KEY_SMALL_LIBRARY";

/** The variables that are not set and have to be. */
export function missingVariables(environment: Environment): string[] {
  return [urlName, ...Object.values(keyNames)].filter((name) => !environment[name]);
}

export function isOutside(environment: Environment): boolean {
  return Boolean(environment[urlName]);
}

export function readSettings(environment: Environment): Settings {
  const missing = missingVariables(environment);
  if (missing.length > 0) throw new Error(`Set ${missing.join(", ")}.`);
  const text = (name: string) => environment[name] ?? "";
  return {
    url: text(urlName).replace(/\/+$/, ""),
    keys: keysOfWorker(environment) ?? {
      main: text(keyNames.main),
      other: text(keyNames.other),
      limited: text(keyNames.limited),
      poor: text(keyNames.poor),
      scheduleB: text(keyNames.scheduleB),
      reader: text(moreKeyNames.reader) || null,
      slow: text(moreKeyNames.slow) || null,
      keeper: text(moreKeyNames.keeper) || null,
    },
    hasSandbox: text(sandboxName) === "true",
    callsLoopback: text(loopbackName) === "true",
    videoUrl: text(videoName) || null,
    hurriedUrl: text(hurriedName) || null,
    sandbox: text(sandboxUrlName)
      ? { url: text(sandboxUrlName), token: text(sandboxTokenName) }
      : null,
    smallLibraryKey: text(smallLibraryName) || null,
  };
}

/** Accounts are not shared by files that run at the same time: each of Vitest's workers has its own. */
function keysOfWorker(environment: Environment): Keys | undefined {
  const all = JSON.parse(environment[workerKeysName] || "[]") as Keys[];
  return all[Number(environment["VITEST_POOL_ID"] ?? 1) - 1];
}

/** The other way round: what the tests find in their environment. */
export function toEnvironment(settings: Settings, workerKeys: readonly Keys[] = []) {
  const { url, keys, hasSandbox, callsLoopback, videoUrl, hurriedUrl } = settings;
  const { sandbox, smallLibraryKey } = settings;
  return {
    [urlName]: url,
    [workerKeysName]: JSON.stringify(workerKeys),
    [keyNames.main]: keys.main,
    [keyNames.other]: keys.other,
    [keyNames.limited]: keys.limited,
    [keyNames.poor]: keys.poor,
    [keyNames.scheduleB]: keys.scheduleB,
    [moreKeyNames.reader]: keys.reader ?? "",
    [moreKeyNames.slow]: keys.slow ?? "",
    [moreKeyNames.keeper]: keys.keeper ?? "",
    [sandboxName]: String(hasSandbox),
    [loopbackName]: String(callsLoopback),
    [videoName]: videoUrl ?? "",
    [hurriedName]: hurriedUrl ?? "",
    [sandboxUrlName]: sandbox?.url ?? "",
    [sandboxTokenName]: sandbox?.token ?? "",
    [smallLibraryName]: smallLibraryKey ?? "",
  };
}

export function readEnvironment(): Environment {
  // biome-ignore lint/style/noProcessEnv: the only reader of the environment
  return process.env;
}
