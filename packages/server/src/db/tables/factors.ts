import type { Generated } from "kysely";
import type { IdentityId, PasskeyId, PersonId, SessionId } from "../../ids.ts";

export interface FactorTables {
  totp_factors: {
    person_id: PersonId;
    secret: string;
    confirmed_at: Generated<Date | null>;
    last_step: Generated<number>;
    failures: Generated<number>;
    locked_until: Generated<Date | null>;
    created_at: Generated<Date>;
  };
  recovery_codes: {
    person_id: PersonId;
    hash: Buffer;
    used_at: Generated<Date | null>;
  };
  passkeys: {
    id: PasskeyId;
    person_id: PersonId;
    credential_id: Buffer;
    public_key: Buffer;
    counter: number;
    transports: string[];
    name: string;
    created_at: Generated<Date>;
    used_at: Generated<Date | null>;
  };
  passkey_challenges: {
    hash: Buffer;
    person_id: PersonId | null;
    expires_at: Date;
  };
  oidc_identities: {
    id: IdentityId;
    person_id: PersonId;
    issuer: string;
    subject: string;
    email: string | null;
    created_at: Generated<Date>;
    used_at: Generated<Date | null>;
  };
  oidc_visits: {
    state_hash: Buffer;
    verifier_hash: Buffer;
    nonce: string;
    session_id: SessionId | null;
    proves: Generated<boolean>;
    invitation_hash: Buffer | null;
    return_to: string;
    expires_at: Date;
  };
}
