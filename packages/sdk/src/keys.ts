import { get } from "./calls.ts";
import type {
  CreateKeyAnswer,
  Key,
  ListKeysAnswer,
  ListKeysQuery,
  RevokeKeyAnswer,
} from "./generated.ts";
import { type CallOptions, sendForJson, type Transport } from "./transport.ts";

/** The limits of a key. In a change, `null` removes one. */
export interface KeyLimits
  extends Partial<Pick<Key, "scopes" | "models" | "creditsMax" | "requestsPerMinuteMax">> {
  /** ISO 8601. */
  expiresAt?: string | null;
}

const path = "/api/v1/account/keys";

export function keyCalls(transport: Transport) {
  /** A page of the account's API keys, newest first, with their limits and last use. */
  const list = (query: ListKeysQuery = {}, options: CallOptions = {}): Promise<ListKeysAnswer> =>
    get(transport, path, query, options);
  return Object.assign(list, {
    /** Answers the key, once. Never repeated by itself: a second call is a second key. */
    create: (
      key: { name: string; mode?: Key["mode"] } & KeyLimits,
      options: CallOptions = {},
    ): Promise<CreateKeyAnswer> =>
      sendForJson(transport, { method: "POST", path, body: key, ...options }),
    change: (
      keyId: string,
      changes: { name?: string } & KeyLimits,
      options: CallOptions = {},
    ): Promise<Key> => {
      const call = { method: "PATCH" as const, path, query: { keyId }, body: changes };
      return sendForJson(transport, { ...call, ...options });
    },
    revoke: (keyId: string, options: CallOptions = {}): Promise<RevokeKeyAnswer> =>
      sendForJson(transport, { method: "DELETE", path, query: { keyId }, ...options }),
  });
}
