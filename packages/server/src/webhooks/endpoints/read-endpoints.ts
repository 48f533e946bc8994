import type { Context } from "../../context.ts";
import type { Db } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import { type AccountId, type EndpointId, parseId } from "../../ids.ts";
import { type EndpointRow, findEndpoint, listEndpoints } from "./queries.ts";
import type { EndpointAnswer } from "./schema.ts";

/** All endpoints of an account, which are few, with their health. */
export async function readEndpoints({ db }: Context, accountId: AccountId) {
  const rows = await listEndpoints(db, accountId);
  return { items: rows.map(viewEndpoint) };
}

export function viewEndpoint(row: EndpointRow): EndpointAnswer {
  const { id, createdAt, pausedAt, ...rest } = row;
  return {
    endpointId: id,
    ...rest,
    createdAt: createdAt.getTime(),
    pausedAt: pausedAt?.getTime() ?? null,
  };
}

export async function requireEndpoint(
  db: Db,
  accountId: AccountId,
  text: string,
  isLocked = false,
): Promise<EndpointRow> {
  const id = parseId<EndpointId>(text);
  const row = id && (await findEndpoint(db, accountId, id, isLocked));
  if (row === undefined) throw new ApiError("endpoint_not_found");
  return row;
}
