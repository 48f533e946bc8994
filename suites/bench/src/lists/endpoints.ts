import { createHash, randomBytes } from "node:crypto";
import type { withClient } from "@zoetrope/dev/services/with-client.ts";
import { type ListDatabase, rareModel } from "./list-database.ts";

type Sql = Parameters<Parameters<typeof withClient>[1]>[0];

export interface Endpoint {
  name: string;
  /** Without this table there is nothing to fill. */
  needs: string;
  /** Inserts rows for this endpoint, beside the tasks. */
  fill?(client: Sql, database: ListDatabase): Promise<void>;
  /** The n-th request. */
  request(database: ListDatabase, n: number): { path: string; headers: Record<string, string> };
}

const staffToken = randomBytes(32).toString("base64url");
const reviewsMax = 10_000;

const asAccount = ({ keys }: ListDatabase, account: number) => ({
  authorization: `Bearer ${keys[account % keys.length]}`,
});
/** Every second request is the large account's. */
const accountOf = (n: number) => (n % 2 === 0 ? 0 : Math.floor(n / 2));
const at = <Item>(items: readonly Item[], n: number): Item => {
  const item = items[n % items.length];
  if (item === undefined) throw new Error("there is none");
  return item;
};

/** First pages, pages in the middle, values that are frequent or rare, and times. */
const listQueries: ((database: ListDatabase, n: number) => string)[] = [
  () => "limit=50",
  () => `model=${rareModel}`,
  ({ sample }, n) => `limit=50&cursor=${at(sample, n).taskId}`,
  () => "status=FAILED",
  () => "status=PROCESSING",
  ({ sample }, n) => `status=FAILED&cursor=${at(sample, n).taskId}`,
  () => `from=${new Date(Date.now() - 40 * 86_400_000).toISOString()}&kind=upscale`,
  () => "limit=100&model=image-pro-2",
];

/** The lists that a console reads. A new list is a row here. */
export const endpoints: readonly Endpoint[] = [
  {
    name: "list",
    needs: "tasks",
    request: (database, n) => ({
      path: `/api/v1/jobs/list?${at(listQueries, Math.floor(n / 2))(database, n)}`,
      headers: asAccount(database, accountOf(n)),
    }),
  },
  {
    name: "timeline",
    needs: "tasks",
    request(database, n) {
      const { taskId, account } = at(database.sample, n);
      const path = `/api/v1/jobs/timeline?taskId=${taskId}`;
      return { path, headers: asAccount(database, account) };
    },
  },
  {
    name: "usage",
    needs: "usage_days",
    async fill(client) {
      for (const [table, unit] of [
        ["usage_hours", "hour"],
        ["usage_days", "day"],
      ])
        await client.query(
          `insert into ${table} (start_id, account_id, kind, model, key_id, status, tasks, credits, video_ms)
           select id_floor(date_trunc('${unit}', completed_at, 'UTC')), account_id, kind, model, key_id, status, count(*),
                  coalesce(sum(credits) filter (where status = 'COMPLETED'), 0), 5000 * count(*)
           from tasks group by 1, 2, 3, 4, 5, 6`,
        );
    },
    request(database, n) {
      const query = at(["by=day&group=model", "by=month", "by=hour&group=key", "by=day"], n >> 1);
      const headers = asAccount(database, accountOf(n));
      return { path: `/api/v1/account/usage?${query}`, headers };
    },
  },
  {
    name: "keys",
    needs: "api_keys",
    request: (database, n) => ({
      path: "/api/v1/account/keys",
      headers: asAccount(database, accountOf(n)),
    }),
  },
  {
    name: "review",
    needs: "open_reviews",
    async fill(client, { keys, tasks }) {
      await client.query(
        `with a as (
           insert into assets (upstream_asset_id, account_id, type, status, url, storage_key, content_type, size_bytes,
                               sha256, width, height)
           select 'asset-20260101-' || n, ('00000000-0000-7000-8000-' || lpad(to_hex(n % $2), 12, '0'))::uuid, 'IMAGE',
                  'PROCESSING', '', md5(n::text) || 'aaaaaaaa.png', 'image/png', 1000, md5(n::text), 500, 500
           from generate_series(1, $1::int) n returning id, account_id)
         insert into open_reviews (asset_id, account_id, place_at)
         select id, account_id, now() - id * interval '1 second' from a`,
        [Math.min(reviewsMax, Math.round(tasks / 10)), keys.length],
      );
      await signStaffIn(client);
    },
    request: () => ({
      path: "/api/admin/v1/review",
      headers: { cookie: `__Host-session=${staffToken}` },
    }),
  },
];

/** A reviewer with a session, as after signing in. */
async function signStaffIn(client: Sql): Promise<void> {
  await client.query(
    `with p as (
       insert into people (id, email, name) values (gen_random_uuid(), 'reviewer@example.com', 'Reviewer') returning id
     ), s as (insert into staff (person_id, role) select id, 'reviewer' from p)
     insert into sessions (id, person_id, hash, expires_at)
     select gen_random_uuid(), id, $1, now() + interval '1 day' from p`,
    [createHash("sha256").update(staffToken).digest()],
  );
}

/** Fills what the endpoints read beside tasks. */
export async function fillEndpoints(client: Sql, database: ListDatabase): Promise<void> {
  for (const { needs, fill } of endpoints) {
    const { rows } = await client.query<{ isThere: boolean }>(
      `select to_regclass($1) is not null as "isThere"`,
      [needs],
    );
    if (rows[0]?.isThere) await fill?.(client, database);
  }
}

/** Whether this version of the service has the endpoint. */
export async function isServed(
  url: string,
  database: ListDatabase,
  endpoint: Endpoint,
): Promise<boolean> {
  const { path, headers } = endpoint.request(database, 0);
  const answer = await fetch(url + path, { headers });
  await answer.text();
  return answer.status !== 404;
}
