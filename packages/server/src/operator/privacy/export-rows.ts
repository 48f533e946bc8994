import { sql } from "kysely";
import { staffActions } from "../../audit/read-audit.ts";
import type { Db, DirectoryDb } from "../../db/database.ts";
import type { AccountId } from "../../ids.ts";

/** A row as it is exported, and the objects in storage that belong to it. */
interface Exported {
  [column: string]: unknown;
}

interface Kind {
  /** The file, without its extension. */
  name: string;
  /**
   * The databases that have the rows, if the account does not live in the first shard. Default: the
   * database of the account.
   */
  at?: "directory" | "both";
  /** The next rows after this one, in an order of their own that an index has. */
  read(
    db: Db | DirectoryDb,
    accountId: AccountId,
    after: Exported | null,
    rowsMax: number,
  ): Promise<Exported[]>;
  /** The stored files of a row, with what is recorded of them. */
  filesOf?(row: Exported): StoredFile[];
  /** The chunks of a row: not all may have arrived. */
  chunksOf?(row: Exported): string;
}

export interface StoredFile {
  folder: "outputs" | "inputs" | "assets" | "forms" | "chunks";
  key: string;
  sha256: string | null;
}

/**
 * Whether an entry is of the staff. It is exported as owners read it: with what operators did, not who they
 * are or why.
 */
const ofStaff = sql`coalesce(as_staff, actor_kind = 'command' or action ~ ${staffActions}
  or (action = 'invitation.create' and not exists (
    select from members m where m.account_id = audit_entries.account_id and m.person_id = audit_entries.person_id)))`;

/**
 * The rows that are exported of an account. Columns are named, so that a secret that is added to a table is
 * not exported by default. Left out are secrets, what vendors and reviewers reported to operators, and what
 * only loops need.
 */
export const kinds: readonly Kind[] = [
  {
    name: "account",
    read: page(
      (
        account,
        after,
      ) => sql`select id, name, price_schedule, discount, discount_until, open_tasks_max, credits, held, webhook_tail_hours, credits_low,
          test_of, created_at, closed_at, suspended_at, suspended_reason, l.stored_bytes, l.open_assets_max, l.open_uploads_max, l.stored_bytes_max,
          r.passed as assets_passed, r.refused as assets_refused, r.last_refused_at
        from accounts left join account_libraries l on l.account_id = accounts.id
          left join account_reviews r on r.account_id = accounts.id
        where id = ${account} and ${after?.["id"] ?? null}::uuid is null`,
    ),
  },
  {
    name: "keys",
    read: page(
      (
        account,
        after,
      ) => sql`select id, name, hint, scopes, models, requests_per_minute_max, credits_max, credits_used,
          created_at, created_by, created_by_key, expires_at, revoked_at,
          (select used_at from key_uses where key_id = api_keys.id) as used_at
        from api_keys where account_id = ${account} and ${isAfter("id", after)} order by id`,
    ),
  },
  {
    name: "members",
    at: "directory",
    read: page(
      (
        account,
        after,
      ) => sql`select p.id, p.email, p.name, p.language, members.role, members.created_at,
          exists (select from totp_factors where person_id = p.id and confirmed_at is not null) as has_authenticator,
          array(select jsonb_build_object('name', name, 'created_at', created_at, 'used_at', used_at)
                from passkeys where person_id = p.id order by id) as passkeys,
          array(select jsonb_build_object('issuer', issuer, 'email', email, 'created_at', created_at, 'used_at', used_at)
                from oidc_identities where person_id = p.id order by id) as company_sign_ins
        from members join people p on p.id = members.person_id
        where members.account_id = ${account} and p.id > ${after?.["id"] ?? zeroId}::uuid order by p.id`,
    ),
  },
  {
    name: "one-time-links",
    at: "directory",
    read: page(
      (account, after) => sql`select id, email, role, created_at, expires_at,
          case when exists (select from members m where m.account_id = ${account} and m.person_id = created_by)
               then created_by end as created_by
        from one_time_links where ${account} in (account_id, owned_account_id) and ${isAfter("id", after)} order by id`,
    ),
  },
  {
    name: "audit-entries",
    at: "both",
    read: page(
      (account, after) => sql`select id,
          case when ${ofStaff} then 'operator' else actor_kind end as actor_kind,
          case when not ${ofStaff} then actor end as actor, action, object, before, after,
          case when not ${ofStaff} then reason end as reason,
          case when not ${ofStaff} then host(address) end as address, created_at
        from audit_entries where account_id = ${account} and ${isAfter("id", after)} order by id`,
    ),
  },
  {
    name: "logged-requests",
    read: page(
      (
        account,
        after,
      ) => sql`select id, key_id, person_id, method, route, status, error_code, request_id, duration_ms
        from logged_requests where account_id = ${account} and ${isAfter("id", after)} order by id`,
    ),
  },
  {
    name: "account-notes",
    read: page(
      (account, after) => sql`select id, note, created_at from account_notes
        where account_id = ${account} and ${isAfter("id", after)} order by id`,
    ),
  },
  {
    name: "grants",
    read: page(
      (
        account,
        after,
      ) => sql`select id, kind, credits, credits_expire_at, reason, status, created_at, decided_at from grants
        where account_id = ${account} and ${isAfter("id", after)} order by id`,
    ),
  },
  {
    name: "label-agreements",
    read: page(
      (account, after) => sql`select id, agreed_by, agreed_at, text, created_at, ended_at
        from label_agreements where account_id = ${account} and ${isAfter("id", after)} order by id`,
    ),
  },
  {
    name: "freed-outputs",
    read: page(
      (
        account,
        after,
      ) => sql`select task_id as id, number, agreement_id, encode(sha256, 'hex') as sha256, delivered_at
        from freed_outputs where account_id = ${account}
          and (task_id, number) > (${after?.["id"] ?? zeroId}::uuid, ${after?.["number"] ?? 0}::smallint)
        order by task_id, number`,
    ),
  },
  {
    name: "transfers",
    read: page(
      (
        account,
        after,
      ) => sql`select number, id, cause_id, kind, amount, credits_after, held_after, note, created_at
        from transfers where account_id = ${account} and number > ${after?.["number"] ?? 0} order by number`,
    ),
  },
  {
    name: "lots",
    read: page(
      (
        account,
        after,
      ) => sql`select id, number, source, credits, credits_left, net_minor, currency, expires_at, cause_id, created_at
        from lots where account_id = ${account} and ${isAfter("id", after)} order by id`,
    ),
  },
  {
    name: "lot-uses",
    read: page(
      (account, after) => sql`select t.number, u.cause_id, u.kind, u.lot_id, u.credits, u.net_minor
        from transfers t join lot_uses u on u.cause_id = t.cause_id and u.kind = t.kind
        where t.account_id = ${account}
          and (t.number, u.lot_id) > (${after?.["number"] ?? 0}, ${after?.["lot_id"] ?? zeroId}::uuid)
        order by t.number, u.lot_id`,
    ),
  },
  { name: "usage-hours", read: usagePage("usage_hours") },
  { name: "usage-days", read: usagePage("usage_days") },
  {
    name: "tasks",
    read: page(
      (
        account,
        after,
      ) => sql`select id, key_id, kind, model, request, inputs, price_schedule, price_version, discount, price_lines, credits, callback_url,
          status, output, error_code, error_message, created_at, completed_at
        from tasks where account_id = ${account} and ${isAfter("id", after)} order by id`,
    ),
    filesOf: (row) => [
      ...storedFiles("outputs", row["output"]),
      ...storedFiles("inputs", row["inputs"]),
    ],
  },
  {
    name: "idempotency-keys",
    read: page(
      (account, after) => sql`select key, response, created_at from idempotency_keys
        where account_id = ${account} and key > ${after?.["key"] ?? ""} order by key`,
    ),
  },
  {
    name: "events",
    read: page(
      (account, after) => sql`select number, id, task_id, type, body, created_at from events
        where account_id = ${account} and (number, id) > (${after?.["number"] ?? 0}, ${after?.["id"] ?? zeroId}::uuid)
        order by number, id`,
    ),
  },
  {
    name: "webhook-endpoints",
    read: page(
      (
        account,
        after,
      ) => sql`select id, url, events, description, paused_at, pause_reason, created_at,
          (select to_jsonb(h) from endpoint_health h where h.endpoint_id = webhook_endpoints.id) as health
        from webhook_endpoints where account_id = ${account} and ${isAfter("id", after)} order by id`,
    ),
  },
  {
    name: "deliveries",
    read: page(
      (
        account,
        after,
      ) => sql`select id, task_id, endpoint_id, event_id, url, body, rounds, created_at, delivered_at, given_up_at, array(
          select jsonb_build_object('number', number, 'started_at', started_at, 'duration_ms', duration_ms,
                                    'status', status, 'reason', reason)
          from attempts where delivery_id = deliveries.id order by number) as attempts
        from deliveries where account_id = ${account} and ${isAfter("id", after)} order by id`,
    ),
  },
  {
    name: "assets",
    read: page(
      (
        account,
        after,
      ) => sql`select id, upstream_asset_id, type, status, name, url, upload_id, storage_key, content_type,
          size_bytes, sha256, width, height, duration_ms, frames, video_codec, fail_code, fail_reason, created_at, revoked_at,
          deleted_at, array(
            select jsonb_build_object('verdict', verdict, 'at', at)
            from asset_reviews where asset_id = assets.id order by number) as reviews
        from assets where account_id = ${account} and id > ${after?.["id"] ?? 0} order by id`,
    ),
    filesOf: ({ storage_key, sha256, status, deleted_at }) =>
      typeof storage_key === "string" && status !== "FAILED" && deleted_at === null
        ? [
            {
              folder: "assets",
              key: storage_key,
              sha256: typeof sha256 === "string" ? sha256 : null,
            },
          ]
        : [],
  },
  {
    name: "declarations",
    read: page(
      (
        account,
        after,
      ) => sql`select asset_id as id, people, purpose, form_key, form_type, form_sha256, created_at
        from asset_declarations where account_id = ${account} and asset_id > ${after?.["id"] ?? 0}
        order by asset_id`,
    ),
    filesOf: ({ form_key, form_sha256 }) =>
      typeof form_key === "string"
        ? [{ folder: "forms", key: form_key, sha256: String(form_sha256) }]
        : [],
  },
  {
    name: "uploads",
    read: page(
      (
        account,
        after,
      ) => sql`select id, type, name, size_bytes, sha256, chunk_bytes, chunk_stem, created_at, expires_at,
          completed_at
        from asset_uploads where account_id = ${account} and ${isAfter("id", after)} order by id`,
    ),
    chunksOf: ({ chunk_stem }) => String(chunk_stem),
  },
];

const zeroId = "00000000-0000-0000-0000-000000000000";

function isAfter(column: string, after: Exported | null) {
  return sql`${sql.ref(column)} > ${after?.[column] ?? zeroId}::uuid`;
}

function page(
  select: (accountId: AccountId, after: Exported | null) => ReturnType<typeof sql>,
): Kind["read"] {
  return async (db, accountId, after, rowsMax) => {
    const { rows } = await sql<Exported>`${select(accountId, after)} limit ${rowsMax}`.execute(db);
    return rows;
  };
}

function usagePage(table: "usage_hours" | "usage_days"): Kind["read"] {
  return page(
    (
      account,
      after,
    ) => sql`select id_time(start_id) as start, start_id, kind, model, key_id, status, tasks, credits, video_ms
      from ${sql.table(table)} where account_id = ${account}
        and (start_id, kind, model, coalesce(key_id, ${zeroId}::uuid), status) > (${after?.["start_id"] ?? zeroId}::uuid,
          ${after?.["kind"] ?? ""}, ${after?.["model"] ?? ""}, ${after?.["key_id"] ?? zeroId}::uuid, ${after?.["status"] ?? ""})
      order by start_id, kind, model, coalesce(key_id, ${zeroId}::uuid), status`,
  );
}

function storedFiles(folder: "outputs" | "inputs", files: unknown): StoredFile[] {
  if (!Array.isArray(files)) return [];
  return (files as { key: string; sha256: string }[]).map(({ key, sha256 }) => ({
    folder,
    key,
    sha256,
  }));
}
