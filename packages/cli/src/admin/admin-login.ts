import { usageError } from "../cli-error.ts";
import { askForLogin, keepKey } from "../commands/login.ts";
import { variable } from "../environment.ts";
import { credentialsPath, readCredentials, writeCredentials } from "../login/credentials-file.ts";
import { nameOfServiceKey, parseBaseUrl } from "../login/find-login.ts";
import { clearKeychain } from "../login/keychain.ts";
import { type Invocation, textOption } from "../run.ts";
import { cleanText } from "../terminal/clean-text.ts";
import { openTalk } from "../terminal/talk.ts";
import { fetchAdmin } from "./client.ts";

/** Asks for the service and a service key, tries the key, and keeps it. The key is never an argument. */
export async function adminLogin({ options, run }: Invocation): Promise<void> {
  const talk = openTalk(options["json"] === true);
  const { baseUrl, key } = await askForLogin(textOption(options, "baseUrl"), "service key");
  const context = { signal: run.signal, shard: undefined };
  const response = await fetchAdmin(
    { baseUrl, apiKey: key },
    { method: "GET", path: "/service-key" },
    context,
  );
  const { name, scopes, expiresAt } = (await response.json()) as {
    name: string;
    scopes: string[];
    expiresAt: number;
  };
  const isInKeychain = await keepKey(baseUrl, nameOfServiceKey(baseUrl), key);
  if (variable("ZOETROPE_SERVICE_KEY") !== undefined)
    talk.say("ZOETROPE_SERVICE_KEY is set and is used in place of this login.");
  const storedIn = isInKeychain ? "keychain" : "file";
  talk.result({ baseUrl, storedIn, name, scopes, expiresAt }, () => [
    cleanText(`Logged in to ${baseUrl} with the service key ${name}: ${scopes.join(", ")}.`),
    `It ends on ${new Date(expiresAt).toISOString().slice(0, 10)}, and is in ${isInKeychain ? "the keychain" : credentialsPath()}.`,
  ]);
}

export async function adminLogout({ options }: Invocation): Promise<void> {
  const talk = openTalk(options["json"] === true);
  const stored = await readCredentials();
  const given = textOption(options, "baseUrl") ?? stored.baseUrl;
  if (given === null) throw usageError("There is no stored login.");
  const baseUrl = parseBaseUrl(given);
  const name = nameOfServiceKey(baseUrl);
  await clearKeychain(name);
  const { [name]: _removed, ...keys } = stored.keys;
  await writeCredentials({ ...stored, keys });
  talk.result({ baseUrl, loggedIn: false }, () => `Logged out of ${baseUrl}.`);
}
