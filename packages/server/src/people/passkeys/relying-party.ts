/** What passkeys are bound to. A change of the host of PUBLIC_URL makes all of them unusable. */
export interface RelyingParty {
  rpID: string;
  rpName: string;
  origin: string;
}

export function relyingPartyOf(publicUrl: string): RelyingParty {
  const { hostname, origin } = new URL(publicUrl);
  return { rpID: hostname, rpName: "Zoetrope", origin };
}

/** ES256, EdDSA, RS256. */
export const algorithmIds = [-7, -8, -257];
