import { client, post } from "../../lib/client.ts";

/** Has a passkey of this device sign what one endpoint gives, for another. False: the person changed their mind. */
export async function askPasskey({ begin, end }: { begin: string; end: string }): Promise<boolean> {
  const { options } = await post<{ options: PublicKeyCredentialRequestOptionsJSON }>(client, begin);
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey });
  if (!(credential instanceof PublicKeyCredential)) return false;
  await post(client, end, { credential: credential.toJSON() });
  return true;
}

export const signInWithPasskey = (): Promise<boolean> =>
  askPasskey({ begin: "/api/v1/session/passkey/options", end: "/api/v1/session/passkey" });
