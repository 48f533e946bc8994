import { invalid } from "../../errors.ts";
import { cutPage, readIdCursor } from "../../http/paging.ts";
import { type AccountId, parseId, type TaskId } from "../../ids.ts";
import type { VendorsContext } from "../../tasks/context.ts";
import { findBySha256 } from "../../verify/find-outputs.ts";
import {
  findOpenByJob,
  findStaffTasks,
  listTasksOf,
  type StaffTaskRow,
  scanSubmits,
} from "./queries.ts";

/** Submits that one request looks through for a job id: tens of milliseconds for each 100,000. */
const submitsMax = 200_000;

export interface TaskSearch {
  taskId?: string | undefined;
  accountId?: string | undefined;
  vendorJobId?: string | undefined;
  sha256?: string | undefined;
  cursor?: string | undefined;
  limit: number;
}

/**
 * Returns a page of tasks: the one with this id, those of an account, those of a vendor's job, or those of
 * an output's SHA-256, in all shards. A job that has ended is looked for among the newest submits; with a
 * `nextCursor`, the search continues from there.
 */
export async function searchTasks(
  ctx: Pick<VendorsContext, "db" | "otherShards" | "vendors">,
  search: TaskSearch,
): Promise<{ items: StaffTaskRow[]; nextCursor: TaskId | null }> {
  const { taskId, accountId, vendorJobId, sha256, cursor, limit } = search;
  const named = [taskId, accountId, vendorJobId, sha256].filter((name) => name !== undefined);
  if (named.length !== 1)
    throw invalid("taskId", "give one of taskId, accountId, vendorJobId and sha256");
  const before = readIdCursor<TaskId>(cursor);
  if (accountId !== undefined) {
    const id = readId<AccountId>("accountId", accountId);
    const rows = await listTasksOf(ctx.db, id, { before, rowsMax: limit + 1 });
    const { page, nextCursor } = cutPage(rows, limit, ({ id }) => id);
    return { items: page, nextCursor };
  }
  if (vendorJobId !== undefined) return searchByJob(ctx, vendorJobId, before);
  if (sha256 !== undefined) return searchBySha256(ctx, sha256);
  const id = parseId<TaskId>(taskId ?? "");
  return { items: await findStaffTasks(ctx.db, id === undefined ? [] : [id]), nextCursor: null };
}

async function searchBySha256(
  ctx: Pick<VendorsContext, "db" | "otherShards">,
  sha256: string,
): Promise<{ items: StaffTaskRow[]; nextCursor: null }> {
  const taskIds = (await findBySha256(ctx, sha256)).map(({ taskId }) => taskId);
  const shards = [ctx, ...ctx.otherShards];
  const items = await Promise.all(shards.map(({ db }) => findStaffTasks(db, taskIds)));
  return { items: items.flat(), nextCursor: null };
}

async function searchByJob(
  { db, vendors }: Pick<VendorsContext, "db" | "vendors">,
  jobId: string,
  before: TaskId | null,
) {
  const open = before === null ? await findOpenByJob(db, [...vendors.keys()], jobId) : [];
  if (open.length > 0) return { items: await findStaffTasks(db, open), nextCursor: null };
  const { found, last } = await scanSubmits(db, jobId, { before, rowsMax: submitsMax });
  return {
    items: await findStaffTasks(db, found),
    nextCursor: found.length > 0 ? null : last,
  };
}

function readId<Id extends AccountId | TaskId>(param: string, text: string): Id {
  const id = parseId<Id>(text);
  if (id === undefined) throw invalid(param, "must be an id");
  return id;
}
