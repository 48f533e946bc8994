import type { Client } from "pg";
import type { Call } from "../../kit/call-api.ts";
import type { EntryPointName } from "./rows.ts";

/** The outcomes of URLs that were let in: the reason of the failure, or null when the URL worked. */
export type Ends = ReadonlyMap<string, string | null>;

export interface EntryPoint {
  /** A request with the URL in it; there are two kinds for the two times each is sent. */
  callOf(url: string, round: number): Pick<Call, "method" | "path" | "body">;
  idOf(answer: Record<string, unknown>): string;
  /** A query for the number that are still on their way. */
  readonly open: string;
  readonly ends: string;
}

const createTask = { method: "POST", path: "/api/v1/jobs/createTask" } as const;
const anEnd = { prompt: "A closed gate [sandbox:fail]", duration: "4s" };

export const entryPoints: Readonly<Record<EntryPointName, EntryPoint>> = {
  image: {
    callOf: (url, round) => ({
      ...createTask,
      body:
        round % 2 === 0
          ? { model: "sd2", inputs: { ...anEnd, urls: [url] } }
          : {
              model: "sd2-fast",
              inputs: { ...anEnd, urls: [url], videoInputMode: "reference", resolution: "720x720" },
            },
    }),
    idOf: ({ taskId }) => String(taskId),
    open: "select count(*)::int as open from open_tasks",
    ends: `select id::text, case when status in ('PENDING', 'PROCESSING') then 'not over'
        when error_code like 'input%' then error_message end as reason
      from tasks where callback_url is null`,
  },
  asset: {
    callOf: (url) => ({
      method: "POST",
      path: "/api/v1/assets/upload",
      body: { url, type: "IMAGE" },
    }),
    idOf: ({ assetId }) => String(assetId),
    open: "select count(*)::int as open from assets where status = 'PROCESSING'",
    ends: `select id::text, case when status = 'PROCESSING' then 'not over'
        when status = 'FAILED' then fail_reason end as reason
      from assets`,
  },
  upscale: {
    callOf: (url, round) => ({
      method: "POST",
      path: "/api/v1/upscale/create",
      body: { source: { type: "url", url }, targetResolution: round % 2 === 0 ? "1080p" : "4k" },
    }),
    idOf: ({ taskId }) => String(taskId),
    open: "select count(*)::int as open from open_tasks",
    // The public host has images: one that was fetched is refused as no video.
    ends: `select id::text, case when status in ('PENDING', 'PROCESSING') then 'not over'
        when error_message not like '%is image/png, not a video%' then error_message end as reason
      from tasks where kind = 'upscale'`,
  },
  callback: {
    callOf: (url) => ({
      ...createTask,
      body: { model: "sd2", inputs: anEnd, callBackUrl: url },
    }),
    idOf: ({ taskId }) => String(taskId),
    // Two attempts are waited for, or one that arrived: what is public at first may not be so again.
    open: `select count(*)::int as open from open_deliveries d
      where (select count(*) from attempts a where a.delivery_id = d.delivery_id and duration_ms is not null) < 2`,
    ends: `select task_id::text as id,
        case when delivered_at is null then coalesce((select coalesce(reason, 'not over') from attempts
          where delivery_id = deliveries.id order by number limit 1), 'not attempted') end as reason
      from deliveries`,
  },
};

export async function readEnds(db: Client, entryPoint: EntryPoint): Promise<Ends> {
  const { rows } = await db.query<{ id: string; reason: string | null }>(entryPoint.ends);
  return new Map(rows.map(({ id, reason }) => [id, reason]));
}
