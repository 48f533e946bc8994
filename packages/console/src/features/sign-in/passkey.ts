import type { BeginPasskeySignInAnswer } from "@zoetrope/sdk/answers";
import { client, post } from "../../lib/client.ts";

/** Signs in with a passkey of this device. False: the person changed their mind. */
export async function signInWithPasskey(): Promise<boolean> {
  const begun = await post<BeginPasskeySignInAnswer>(client, "/api/v1/session/passkey/options");
  const { options } = begun as unknown as { options: PublicKeyCredentialRequestOptionsJSON };
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey });
  if (!(credential instanceof PublicKeyCredential)) return false;
  await post(client, "/api/v1/session/passkey", { credential: credential.toJSON() });
  return true;
}
