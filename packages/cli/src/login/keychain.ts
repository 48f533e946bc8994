import { variable } from "../environment.ts";

const service = "zoetrope";
/** A keychain may ask its owner; one that hangs must not hold up the command for good. */
const keychainMsMax = 60_000;

/** Returns the entry in the system's keychain, or null if there is none or it does not respond. */
async function openEntry(baseUrl: string) {
  if (variable("ZOETROPE_KEYCHAIN") === "off") return null;
  try {
    const { AsyncEntry } = await import("@napi-rs/keyring");
    return new AsyncEntry(service, baseUrl);
  } catch {
    return null; // an optional dependency: not every platform has it
  }
}

export async function readKeychain(baseUrl: string): Promise<string | null> {
  try {
    const entry = await openEntry(baseUrl);
    return (await entry?.getPassword(AbortSignal.timeout(keychainMsMax))) ?? null;
  } catch {
    return null;
  }
}

/** Whether the keychain has the key now. */
export async function writeKeychain(baseUrl: string, apiKey: string): Promise<boolean> {
  try {
    const entry = await openEntry(baseUrl);
    if (entry === null) return false;
    await entry.setPassword(apiKey, AbortSignal.timeout(keychainMsMax));
    return (await entry.getPassword(AbortSignal.timeout(keychainMsMax))) === apiKey;
  } catch {
    return false;
  }
}

export async function clearKeychain(baseUrl: string): Promise<boolean> {
  try {
    const entry = await openEntry(baseUrl);
    return (await entry?.deletePassword(AbortSignal.timeout(keychainMsMax))) ?? false;
  } catch {
    return false;
  }
}
