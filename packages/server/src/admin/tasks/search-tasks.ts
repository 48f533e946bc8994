import { invalid } from "../../errors.ts";
import { cutPage, readIdCursor } from "../../http/paging.ts";
import { type AccountId, parseId, type TaskId } from "../../ids.ts";
import type { VendorsContext } from "../../tasks/context.ts";
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
  cursor?: string | undefined;
  limit: number;
}

/**
 * A page of tasks: the one with this id, those of an account, or those of a vendor's job. A job that
 * has ended is looked for among the newest submits; with a `nextCursor`, the search goes on from there.
 */
export async function searchTasks(
  ctx: VendorsContext,
  search: TaskSearch,
): Promise<{ items: StaffTaskRow[]; nextCursor: TaskId | null }> {
  const { taskId, accountId, vendorJobId, cursor, limit } = search;
  const named = [taskId, accountId, vendorJobId].filter((name) => name !== undefined);
  if (named.length !== 1) throw invalid("taskId", "give one of taskId, accountId and vendorJobId");
  const before = readIdCursor<TaskId>(cursor);
  if (accountId !== undefined) {
    const id = readId<AccountId>("accountId", accountId);
    const rows = await listTasksOf(ctx.db, id, { before, rowsMax: limit + 1 });
    const { page, nextCursor } = cutPage(rows, limit, ({ id }) => id);
    return { items: page, nextCursor };
  }
  if (vendorJobId !== undefined) return searchByJob(ctx, vendorJobId, before);
  const id = parseId<TaskId>(taskId ?? "");
  return { items: await findStaffTasks(ctx.db, id === undefined ? [] : [id]), nextCursor: null };
}

async function searchByJob({ db, vendors }: VendorsContext, jobId: string, before: TaskId | null) {
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
