import type { AccountId, KeyId, LoggedRequestId, PersonId } from "../../ids.ts";

export interface RequestTables {
  logged_requests: {
    id: LoggedRequestId;
    slot: number;
    account_id: AccountId;
    key_id: KeyId | null;
    person_id: PersonId | null;
    method: string;
    route: string;
    status: number;
    error_code: string | null;
    request_id: string;
    duration_ms: number;
  };
}
