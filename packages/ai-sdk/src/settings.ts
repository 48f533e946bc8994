import { LoadAPIKeyError, LoadSettingError } from "@ai-sdk/provider";
import { Zoetrope } from "@zoetrope/sdk";

export interface ZoetropeSettings {
  /** Where the service is. Default: the environment variable `ZOETROPE_BASE_URL`. */
  baseUrl?: string | undefined;
  /** Default: the environment variable `ZOETROPE_API_KEY`. */
  apiKey?: string | undefined;
  /** Sent with every request to the service, and with none to its storage. */
  headers?: Readonly<Record<string, string>> | undefined;
  fetch?: typeof fetch | undefined;
  /** How often a request that got no answer, or a passing error, is repeated. Default: 4. */
  retriesMax?: number | undefined;
  /** Of the account (`whsec_…`): callbacks are verified with it. */
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
