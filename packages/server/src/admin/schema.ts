import { z } from "zod";
import type { Directory } from "../context.ts";
import type { ServiceNoun, StaffKind } from "../db/tables/admin.ts";
import { ApiError } from "../errors.ts";
import { pageLimit, textCursor } from "../http/paging.ts";
import { type AccountId, parseId, type TaskId, type TransferId } from "../ids.ts";
import { listNames } from "../people/list-names.ts";

/** The schemas that the routes of the operator API share. */

export const pageQuery = {
  cursor: textCursor(2_000),
  limit: pageLimit({ usual: 20, max: 100 }),
};
export const nextCursor = z.string().nullable().meta({ description: "null on the last page." });

export const reason = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .meta({ description: "Why. Stays in the audit." });
export const reasonBody = z.strictObject({ reason });
export const time = z.int().meta({ description: "Epoch milliseconds." });
export const done = z.object({}).meta({ description: "It is done." });

export const actorView = z
  .object({
    kind: z.enum(["person", "command"]),
    id: z.string().meta({ description: "Of a command: the user of the machine." }),
    name: z.string().nullable(),
  })
  .meta({ id: "StaffActor" });

/** Shows staff by name. They are in the directory. */
export async function createActorView(
  { directory }: { directory: Directory },
  actors: readonly { kind: StaffKind | null; by: string | null }[],
) {
  const ids = actors.flatMap(({ kind, by }) => (kind === "person" && by !== null ? [by] : []));
  const names = await listNames(directory.db, ids);
  return (kind: StaffKind, id: string) => ({ kind, id, name: names.get(id) ?? null });
}

export const msOf = (at: Date | null): number | null => at?.getTime() ?? null;

export const accountParams = z.object({ accountId: z.string().max(100) });
export const grantParams = z.object({ grantId: z.string().max(100) });
export const taskParams = z.object({ taskId: z.string().max(100) });

export function readAccountId({ accountId }: { accountId: string }): AccountId {
  const id = parseId<AccountId>(accountId);
  if (id === undefined) throw new ApiError("account_not_found");
  return id;
}

export function readGrantId({ grantId }: { grantId: string }): TransferId {
  const id = parseId<TransferId>(grantId);
  if (id === undefined) throw new ApiError("grant_not_found");
  return id;
}

export function readTaskId({ taskId }: { taskId: string }): TaskId {
  const id = parseId<TaskId>(taskId);
  if (id === undefined) throw new ApiError("task_not_found");
  return id;
}

/** The staff and service keys that may read. The noun is the scope of service keys. */
export const readers = (noun: ServiceNoun) =>
  ({ staff: ["operator", "support"], service: `${noun}:read` }) as const;
/** The config of routes that approve as the second person, which is a separate scope. */
export const approvers = { service: "credits:approve" } as const;
export const writers = (noun: ServiceNoun) => ({ staff: ["operator"], service: noun }) as const;
