import assert from "node:assert";
import { randomFillSync } from "node:crypto";

/**
 * The maximum number of shards. Ids are UUIDs of the version 7 layout: 48 bits of milliseconds first, so
 * they sort by time and can key a range partition. The 10 bits after the variant carry the account's shard,
 * so that an id shows which database it lives in; the other 64 bits are random.
 */
export const shardsMax = 1024;

declare const brand: unique symbol;
/** An id of one table is not accepted where that of another is wanted. Costs nothing at run time. */
type Branded<Value, Name> = Value & { readonly [brand]: Name };

export type AccountId = Branded<string, "account">;
export type KeyId = Branded<string, "key">;
export type TaskId = Branded<string, "task">;
export type TransferId = Branded<string, "transfer">;
/** The id of credits that came in together: of the transfer that made it. */
export type LotId = Branded<string, "lot">;
export type GrantLimitId = Branded<string, "grant limit">;
/** The id of a delivery, and of the event that it delivers. */
export type DeliveryId = Branded<string, "delivery">;
export type UploadId = Branded<string, "upload">;
export type PersonId = Branded<string, "person">;
export type SessionId = Branded<string, "session">;
export type PasskeyId = Branded<string, "passkey">;
/** The id of a person at an OpenID provider. */
export type IdentityId = Branded<string, "identity">;
/** The id of a webhook endpoint. */
export type EndpointId = Branded<string, "endpoint">;
/** The id of a link that works once. */
export type LinkId = Branded<string, "link">;
export type MailId = Branded<string, "mail">;
export type AuditId = Branded<string, "audit">;
/** The id of a line of the request log. */
export type LoggedRequestId = Branded<string, "logged request">;
/** The id of a key for the operator API. */
export type ServiceKeyId = Branded<string, "service key">;
export type NoteId = Branded<string, "note">;
/** The id of an agreement that frees an account from the visible label. */
export type LabelAgreementId = Branded<string, "label agreement">;
export type LedgerCheckId = Branded<string, "ledger check">;
export type ProcessId = Branded<string, "process">;
/** A number that the database gives. */
export type AssetId = Branded<number, "asset">;
/** The ids that `newId` makes. */
export type Uuid =
  | AccountId
  | KeyId
  | TaskId
  | TransferId
  | DeliveryId
  | UploadId
  | PersonId
  | SessionId
  | PasskeyId
  | IdentityId
  | EndpointId
  | LinkId
  | MailId
  | AuditId
  | LoggedRequestId
  | ServiceKeyId
  | NoteId
  | LabelAgreementId
  | LedgerCheckId
  | ProcessId
  | GrantLimitId;

const idPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export function newId<Id extends Uuid>(shard: number, atMs: number = Date.now()): Id {
  assert(Number.isInteger(shard) && shard >= 0 && shard < shardsMax);
  const bytes = takeRandom();
  bytes.writeUIntBE(atMs, 0, 6);
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (shard >> 4), 8);
  bytes.writeUInt8(((shard & 0x0f) << 4) | (bytes.readUInt8(9) & 0x0f), 9);
  const hex = bytes.toString("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join("-") as Id;
}

/** Reading randomness costs the same for one id as for many. */
const pool = Buffer.alloc(16 * 256);
let used = pool.length;

function takeRandom(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += 16;
  return pool.subarray(used - 16, used); // overwritten by nobody until the next filling
}

export function isId(text: string): boolean {
  return idPattern.test(text);
}

/** Text from outside as the id of what the caller says it names; `undefined` if it cannot be an id. */
export function parseId<Id extends Uuid>(text: string): Id | undefined {
  return isId(text) ? (text as Id) : undefined;
}

/** Parses the id of an asset. */
export function parseAssetId(text: string): AssetId | undefined {
  return /^[1-9]\d{0,15}$/.test(text) ? (Number(text) as AssetId) : undefined;
}

export function shardOf(id: Uuid): number {
  assert(isId(id));
  return (
    ((Number.parseInt(id.slice(19, 21), 16) & 0x3f) << 4) | Number.parseInt(id.slice(21, 22), 16)
  );
}

/** Returns the seconds since the id was made; off by the difference of two machines' clocks. */
export function secondsSince(id: Uuid): number {
  return (Date.now() - timeOf(id)) / 1000;
}

/** The smallest id that can be made at that time, in milliseconds, as `id_floor` of the database. */
export function idFloor(atMs: number): string {
  const hex = Math.max(0, atMs).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** Returns the time at which the id was made, in milliseconds. */
export function timeOf(id: Uuid): number {
  assert(isId(id));
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** The roles of people in an account: each role includes those after it. */
export const memberRoles = ["owner", "developer", "viewer"] as const;
export type MemberRole = (typeof memberRoles)[number];

/** The roles of people in the deployment. `support` reads; `reviewer` sees the review queue only. */
export const staffRoles = ["operator", "support", "reviewer"] as const;
export type StaffRole = (typeof staffRoles)[number];

/**
 * The actor of a change: an API key, a signed-in person, a service key for the person who issued it, or the
 * user who runs an operator command.
 */
export type Actor = (
  | { kind: "key"; keyId: KeyId; accountId: AccountId }
  | {
      kind: "person";
      personId: PersonId;
      /** Whether the person acts for the deployment's staff, in a request that only the staff may make. */
      isStaff?: true;
    }
  | { kind: "service"; serviceKeyId: ServiceKeyId; issuedBy: PersonId }
  | { kind: "command"; user: string }
) & {
  /** From where, and in which request; null for commands. */
  address: string | null;
  requestId: string | null;
};

export type PersonActor = Extract<Actor, { kind: "person" }>;

/**
 * Returns the person who is responsible for an actor. A service key and the person who issued it count as
 * one for limits and second persons.
 */
export function personOf(actor: Actor): PersonId | null {
  if (actor.kind === "person") return actor.personId;
  return actor.kind === "service" ? actor.issuedBy : null;
}
