import { text as readText } from "node:stream/consumers";
import { Zoetrope } from "@zoetrope/sdk";
import { usageError } from "../cli-error.ts";
import { variable } from "../environment.ts";
import { credentialsPath, readCredentials, writeCredentials } from "../login/credentials-file.ts";
import { parseBaseUrl } from "../login/find-login.ts";
import { clearKeychain, writeKeychain } from "../login/keychain.ts";
import { type Invocation, textOption } from "../run.ts";
import { cleanText } from "../terminal/clean-text.ts";
import { openTalk } from "../terminal/talk.ts";

/** Asks for the service and the key, tries them, and keeps them. The key is never an argument. */
export async function login({ options, run }: Invocation): Promise<void> {
  const talk = openTalk(options["json"] === true);
  const { baseUrl, key: apiKey } = await askForLogin(textOption(options, "baseUrl"), "API key");
  const { availableCredits } = await new Zoetrope({ baseUrl, apiKey }).credits({
    signal: run.signal,
  });
  const isInKeychain = await keepKey(baseUrl, baseUrl, apiKey);
  const where = isInKeychain ? "the keychain" : credentialsPath();
  if (variable("ZOETROPE_API_KEY") !== undefined)
    talk.say("ZOETROPE_API_KEY is set and is used in place of this login.");
  talk.result({ baseUrl, storedIn: isInKeychain ? "keychain" : "file", availableCredits }, () => [
    cleanText(`Logged in to ${baseUrl}, ${availableCredits} credits available.`),
    `The key is in ${where}.`,
  ]);
}

/** Asks for the missing values, or reads the key from stdin. */
export async function askForLogin(
  givenUrl: string | undefined,
  what: string,
): Promise<{ baseUrl: string; key: string }> {
  const baseUrl = parseBaseUrl(await askForUrl(givenUrl));
  const key = (await askForKey(baseUrl, what)).trim();
  if (key === "") throw usageError("There is no key on stdin.", `Send the ${what} to stdin.`);
  return { baseUrl, key };
}

/** Keeps a key under its name; returns whether the keychain has it. */
export async function keepKey(baseUrl: string, name: string, key: string): Promise<boolean> {
  const stored = await readCredentials();
  const { [name]: _old, ...keys } = stored.keys;
  const isInKeychain = await writeKeychain(name, key);
  await writeCredentials({ baseUrl, keys: isInKeychain ? keys : { ...keys, [name]: key } });
  return isInKeychain;
}

async function askForUrl(given: string | undefined): Promise<string> {
  const known = given ?? variable("ZOETROPE_BASE_URL");
  if (known !== undefined) return known;
  if (!process.stdin.isTTY) throw usageError("No service is configured.", "Add --base-url.");
  const { isCancel, text } = await import("@clack/prompts");
  const answer = await text({
    message: "Where is the service?",
    placeholder: "https://media.example.com",
    output: process.stderr,
  });
  if (isCancel(answer)) throw usageError("Nothing was stored.");
  return answer;
}

async function askForKey(baseUrl: string, what: string): Promise<string> {
  if (!process.stdin.isTTY) return readText(process.stdin);
  const { isCancel, password } = await import("@clack/prompts");
  const answer = await password({ message: `${what} for ${baseUrl}`, output: process.stderr });
  if (isCancel(answer)) throw usageError("Nothing was stored.");
  return answer;
}

export async function logout({ options }: Invocation): Promise<void> {
  const talk = openTalk(options["json"] === true);
  const stored = await readCredentials();
  const given = textOption(options, "baseUrl") ?? stored.baseUrl;
  if (given === null) throw usageError("There is no stored login.");
  const baseUrl = parseBaseUrl(given);
  await clearKeychain(baseUrl);
  const { [baseUrl]: _removed, ...keys } = stored.keys;
  await writeCredentials({ baseUrl: stored.baseUrl === baseUrl ? null : stored.baseUrl, keys });
  talk.result({ baseUrl, loggedIn: false }, () => `Logged out of ${baseUrl}.`);
}
