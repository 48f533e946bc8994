import { z } from "zod";
import type { Context } from "../../context.ts";
import { pageLimit, readIdCursor, textCursor, timeRule } from "../../http/paging.ts";
import { type AccountId, idFloor, type LoggedRequestId, timeOf } from "../../ids.ts";
import { listRequests, type RequestRow } from "./queries.ts";

const dayMs = 24 * 60 * 60_000;
const keptDays = 7;
const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff";
const statusRule = "must be a status such as 404, or a class of them such as 4xx";
const time = () => z.iso.datetime({ offset: true, error: timeRule }).optional();

export const requestsQuery = z.strictObject({
  requestId: z
    .uuid({ error: "must be a request id: the header X-Request-Id of a response" })
    .optional()
    .meta({ description: "Only this request: the `X-Request-Id` of its response." }),
  status: z
    .string()
    .regex(/^[1-5](\d\d|xx)$/, { error: statusRule })
    .optional()
    .meta({
      description: "Only requests with this status, such as `404`, or class, such as `4xx`.",
    }),
  from: time().meta({ description: "Only requests at this time or later." }),
  to: time().meta({ description: "Only requests before this time." }),
  cursor: textCursor(),
  limit: pageLimit(
    { usual: 50, max: 100 },
    "Most items of a page. A page with a filter can have fewer, or none.",
  ),
});

export const requestsPage = z.object({
  items: z.array(
    z
      .object({
        requestId: z.string(),
        time: z.int().meta({ description: "When it came. Epoch milliseconds." }),
        method: z.string(),
        route: z.string().meta({ description: "The path, with the names of its parameters." }),
        status: z.int(),
        errorCode: z.string().nullable().meta({ description: "null: it was not refused." }),
        durationMs: z
          .int()
          .meta({ description: "Until the response was sent; for a stream, its length." }),
        actor: z.object({
          kind: z.enum(["key", "person"]),
          id: z.string(),
          name: z.string().nullable().meta({ description: "If it still exists." }),
        }),
      })
      .meta({ id: "LoggedRequest" }),
  ),
  nextCursor: z.string().nullable().meta({ description: "null on the last page." }),
});

/** The requests of an account in the last seven days, newest first. */
export async function readRequests(
  ctx: Pick<Context, "db" | "directory">,
  accountId: AccountId,
  query: z.output<typeof requestsQuery>,
): Promise<z.output<typeof requestsPage>> {
  const { from, to, status, cursor, requestId = null, limit } = query;
  const begin = Math.max(from === undefined ? 0 : Date.parse(from), Date.now() - keptDays * dayMs);
  const ends = [to === undefined ? lastId : idFloor(Date.parse(to))];
  const after = readIdCursor<LoggedRequestId>(cursor);
  if (after !== null) ends.push(after);
  const { rows, last } = await listRequests(ctx, {
    accountId,
    requestId,
    limit,
    from: idFloor(begin),
    before: ends.sort()[0] ?? lastId,
    statuses: status === undefined ? null : statusesOf(status),
  });
  return { items: rows.map(viewRequest), nextCursor: last };
}

function statusesOf(text: string): { least: number; most: number } {
  return { least: Number(text.replace("xx", "00")), most: Number(text.replace("xx", "99")) };
}

function viewRequest(row: RequestRow) {
  const { id, requestId, method, route, status, errorCode, durationMs } = row;
  const actor =
    row.personId === null
      ? { kind: "key" as const, id: row.keyId ?? "", name: row.keyName }
      : { kind: "person" as const, id: row.personId, name: row.personName };
  return { requestId, time: timeOf(id), method, route, status, errorCode, durationMs, actor };
}
