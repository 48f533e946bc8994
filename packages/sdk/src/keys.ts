import { get, write } from "./calls.ts";
import type {
  CreateKeyAnswer,
  Key,
  ListKeysAnswer,
  ListKeysQuery,
  RevokeKeyAnswer,
} from "./generated.ts";
import { requireKnown } from "./known-options.ts";
import { queryNames } from "./query-names.ts";
import type { CallOptions, Transport } from "./transport.ts";

/** The limits of a key. In a change, `null` removes one. */
export interface KeyLimits
  extends Partial<Pick<Key, "scopes" | "models" | "creditsMax" | "requestsPerMinuteMax">> {
  /** ISO 8601. */
  expiresAt?: string | null;
}

const path = "/api/v1/account/keys";

export function keyCalls(transport: Transport) {
  /** A page of the account's API keys, newest first, with their limits and last use. */
  const list = async (
    query: ListKeysQuery = {},
    options: CallOptions = {},
  ): Promise<ListKeysAnswer> =>
    get(transport, path, requireKnown(query, queryNames.listKeys), options);
  return Object.assign(list, {
    /** Returns the key, once. Never retried automatically: a second call creates a second key. */
    create: (
      key: { name: string; mode?: Key["mode"] } & KeyLimits,
      options: CallOptions = {},
    ): Promise<CreateKeyAnswer> => write(transport, { method: "POST", path, body: key }, options),
    change: (
      keyId: string,
      changes: { name?: string } & KeyLimits,
      options: CallOptions = {},
    ): Promise<Key> =>
      write(transport, { method: "PATCH", path, query: { keyId }, body: changes }, options),
    revoke: (keyId: string, options: CallOptions = {}): Promise<RevokeKeyAnswer> =>
      write(transport, { method: "DELETE", path, query: { keyId } }, options),
  });
}
