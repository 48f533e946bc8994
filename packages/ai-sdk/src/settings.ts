import { InvalidArgumentError, LoadAPIKeyError, LoadSettingError } from "@ai-sdk/provider";
import { Zoetrope } from "@zoetrope/sdk";

export interface ZoetropeSettings {
  /** The address of the service. Default: the environment variable `ZOETROPE_BASE_URL`. */
  baseUrl?: string | undefined;
  /** Default: the environment variable `ZOETROPE_API_KEY`. */
  apiKey?: string | undefined;
  /** Sent with every request to the service, and with none to its storage. */
  headers?: Readonly<Record<string, string>> | undefined;
  fetch?: typeof fetch | undefined;
  /** The number of retries of a request that got no response or a passing error. Default: 4. */
  retriesMax?: number | undefined;
  /** The account's secret (`whsec_…`), with which callbacks are verified. */
  webhookSecret?: string | undefined;
  /**
   * Whether the provider fetches finished videos itself. Default: where their address is private, which
   * the AI SDK refuses to fetch from.
   */
  downloadVideos?: boolean | undefined;
}

export interface Connection {
  client: Zoetrope;
  baseUrl: string;
  fetch: typeof fetch;
  settings: ZoetropeSettings;
}

const retriesUsual = 4;
const settingNames: Readonly<Record<keyof ZoetropeSettings, true>> = {
  baseUrl: true,
  apiKey: true,
  headers: true,
  fetch: true,
  retriesMax: true,
  webhookSecret: true,
  downloadVideos: true,
};

/** A setting that is misspelt must not be ignored. */
export function requireKnownSettings(settings: ZoetropeSettings): void {
  const names = Object.keys(settingNames);
  for (const argument of Object.keys(settings))
    if (!names.includes(argument)) {
      const message = `${argument} is not a setting. The settings are ${names.join(", ")}.`;
      throw new InvalidArgumentError({ argument, message });
    }
}

export function connect(settings: ZoetropeSettings): Connection {
  const baseUrl = settings.baseUrl ?? readEnv("ZOETROPE_BASE_URL");
  if (!baseUrl)
    throw new LoadSettingError({
      message: "The address of the service is missing. Pass 'baseUrl' or set ZOETROPE_BASE_URL.",
    });
  const apiKey = settings.apiKey ?? readEnv("ZOETROPE_API_KEY");
  if (!apiKey)
    throw new LoadAPIKeyError({
      message: "The API key is missing. Pass 'apiKey' or set ZOETROPE_API_KEY.",
    });
  const plain = settings.fetch ?? fetch.bind(globalThis);
  const client = new Zoetrope({
    baseUrl,
    apiKey,
    retriesMax: settings.retriesMax ?? retriesUsual,
    fetch: withHeaders(plain, baseUrl, settings.headers ?? {}),
  });
  return { client, baseUrl: baseUrl.replace(/\/+$/, ""), fetch: plain, settings };
}

function withHeaders(
  plain: typeof fetch,
  baseUrl: string,
  headers: Readonly<Record<string, string>>,
): typeof fetch {
  if (Object.keys(headers).length === 0) return plain;
  const { origin } = new URL(baseUrl);
  return (input, init = {}) => {
    if (!(typeof input === "string" && new URL(input).origin === origin)) return plain(input, init);
    const all = new Headers(headers);
    new Headers(init.headers).forEach((value, name) => void all.set(name, value));
    return plain(input, { ...init, headers: all });
  };
}

/** There is no `process` in browsers and some edge workers. */
function readEnv(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name];
}
