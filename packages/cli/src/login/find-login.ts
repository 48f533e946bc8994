import { CliError, usageError } from "../cli-error.ts";
import { variable } from "../environment.ts";
import { exitCodes } from "../exit-codes.ts";
import { readCredentials } from "./credentials-file.ts";
import { readKeychain } from "./keychain.ts";

export interface Login {
  baseUrl: string;
  apiKey: string;
}

/**
 * The service and the key: from the environment, then the keychain, then the file. They are never mixed:
 * a key goes only to the service that it was given with.
 */
export async function findLogin(givenUrl?: string): Promise<Login> {
  const ownUrl = variable("ZOETROPE_BASE_URL");
  const namedUrl = givenUrl ?? ownUrl;
  const apiKey = variable("ZOETROPE_API_KEY");
  const isForNamed = !ownUrl || !givenUrl || parseBaseUrl(ownUrl) === parseBaseUrl(givenUrl);
  if (apiKey !== undefined && isForNamed) {
    if (namedUrl === undefined)
      throw notLoggedIn(
        "ZOETROPE_API_KEY is set, but not the service that it is for.",
        "Set ZOETROPE_BASE_URL, such as https://media.example.com.",
      );
    return { baseUrl: parseBaseUrl(namedUrl), apiKey };
  }
  const stored = await readCredentials();
  const url = namedUrl ?? stored.baseUrl;
  const next = "Run 'zoetrope login', or set ZOETROPE_API_KEY and ZOETROPE_BASE_URL.";
  if (url === null) throw notLoggedIn("There is no API key yet.", next);
  const baseUrl = parseBaseUrl(url);
  const found = (await readKeychain(baseUrl)) ?? stored.keys[baseUrl];
  if (found === undefined) throw notLoggedIn(`There is no API key for ${baseUrl} yet.`, next);
  return { baseUrl, apiKey: found };
}

function notLoggedIn(message: string, next: string): CliError {
  return new CliError(message, { exitCode: exitCodes.auth, code: "no_api_key", next });
}

export function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !["http:", "https:"].includes(url.protocol) || url.username !== "")
    throw usageError(
      "The address of the service is not a http or https URL.",
      "Give one such as https://media.example.com.",
    );
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}
