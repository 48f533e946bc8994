import { CliError, usageError } from "../cli-error.ts";
import { variable } from "../environment.ts";
import { exitCodes } from "../exit-codes.ts";
import { readCredentials } from "./credentials-file.ts";
import { readKeychain } from "./keychain.ts";

export interface Login {
  baseUrl: string;
  apiKey: string;
}

/** A kind of key, and where it comes from. */
interface KeyKind {
  what: string;
  variable: string;
  command: string;
  /** The name under which the key of a service is kept. */
  nameOf(baseUrl: string): string;
}

const apiKeys: KeyKind = {
  what: "API key",
  variable: "ZOETROPE_API_KEY",
  command: "zoetrope login",
  nameOf: (baseUrl) => baseUrl,
};

const serviceKeys: KeyKind = {
  what: "service key",
  variable: "ZOETROPE_SERVICE_KEY",
  command: "zoetrope admin login",
  nameOf: nameOfServiceKey,
};

/** Beside the API key of the same service. */
export function nameOfServiceKey(baseUrl: string): string {
  return `admin ${baseUrl}`;
}

/**
 * The service and the key: from the environment, then the keychain, then the file. They are never mixed:
 * a key goes only to the service that it was given with.
 */
export function findLogin(givenUrl?: string): Promise<Login> {
  return findKey(apiKeys, givenUrl);
}

/** The service and the key for its operator API, likewise. */
export function findServiceLogin(givenUrl?: string): Promise<Login> {
  return findKey(serviceKeys, givenUrl);
}

async function findKey(kind: KeyKind, givenUrl?: string): Promise<Login> {
  const ownUrl = variable("ZOETROPE_BASE_URL");
  const namedUrl = givenUrl ?? ownUrl;
  const apiKey = variable(kind.variable);
  const isForNamed = !ownUrl || !givenUrl || parseBaseUrl(ownUrl) === parseBaseUrl(givenUrl);
  if (apiKey !== undefined && isForNamed) {
    if (namedUrl === undefined)
      throw notLoggedIn(
        `${kind.variable} is set, but not the service that it is for.`,
        "Set ZOETROPE_BASE_URL, such as https://media.example.com.",
      );
    return { baseUrl: parseBaseUrl(namedUrl), apiKey };
  }
  const stored = await readCredentials();
  const url = namedUrl ?? stored.baseUrl;
  const next = `Run '${kind.command}', or set ${kind.variable} and ZOETROPE_BASE_URL.`;
  if (url === null) throw notLoggedIn(`There is no ${kind.what} yet.`, next);
  const baseUrl = parseBaseUrl(url);
  const name = kind.nameOf(baseUrl);
  const found = (await readKeychain(name)) ?? stored.keys[name];
  if (found === undefined) throw notLoggedIn(`There is no ${kind.what} for ${baseUrl} yet.`, next);
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
