import { z } from "zod";
import { invalid } from "../errors.ts";
import { pageLimit, readIdCursor, textCursor } from "../http/paging.ts";
import { type AccountId, type AuditId, type PersonId, parseId } from "../ids.ts";
import { type AuditContext, type AuditRow, listAudit } from "./audit-queries.ts";
import { readObjectNames } from "./object-names.ts";

export const auditQuery = z.strictObject({
  action: z
    .string()
    .regex(/^[a-z_]+(\.[a-z_]*)?$/)
    .max(100)
    .optional()
    .meta({ description: "The beginning of an action, such as `key` or `key.create`." }),
  cursor: textCursor(),
  limit: pageLimit(
    { usual: 20, max: 100 },
    "Most items of a page. A page with a filter can have fewer, or none.",
  ),
});

const changed = z
  .record(z.string(), z.unknown())
  .nullable()
  .meta({ description: "By field, without secrets; null if there was nothing, or it was erased." });

const entry = z.object({
  id: z.string(),
  time: z.int().meta({ description: "Epoch milliseconds." }),
  action: z.string().meta({ description: "What was done, such as `key.create`." }),
  object: z.string().meta({ description: "The id of what was changed." }),
  before: changed,
  after: changed,
  address: z.string().nullable().meta({ description: "IP address; null for operators." }),
  requestId: z.string().nullable(),
});

const name = z
  .string()
  .nullable()
  .meta({ description: "Of the person or key, if it still exists." });

export const auditPage = z.object({
  items: z.array(
    entry
      .extend({
        objectName: z.string().nullable().meta({
          description: "What it is called now, or was when it was changed; null: it has no name.",
        }),
        actor: z.object({
          kind: z.enum(["key", "person", "operator"]),
          id: z.string().nullable().meta({ description: "null for operators." }),
          name,
        }),
      })
      .meta({ id: "AuditEntry" }),
  ),
  nextCursor: z.string().nullable().meta({ description: "null on the last page." }),
});

export const staffAuditQuery = auditQuery.extend({
  accountId: z.string().max(100).optional(),
  personId: z.string().max(100).optional().meta({ description: "What this person did." }),
});

export const staffAuditPage = z.object({
  items: z.array(
    entry
      .extend({
        accountId: z.string().nullable().meta({ description: "null: it is the deployment's." }),
        reason: z.string().nullable(),
        actor: z.object({
          kind: z.enum(["key", "person", "command", "service"]),
          id: z.string().meta({ description: "Of a command: the user of the machine." }),
          name,
          email: z.string().nullable().meta({
            description: "Of the person; of a service key: of the person who issued it.",
          }),
        }),
      })
      .meta({ id: "StaffAuditEntry" }),
  ),
  nextCursor: z.string().nullable().meta({ description: "null on the last page." }),
});

/**
 * Returns the audit that owners read of their account. It shows what operators did, not who they are or
 * why.
 */
export async function readAudit(
  ctx: AuditContext,
  accountId: AccountId,
  query: z.output<typeof auditQuery>,
): Promise<z.output<typeof auditPage>> {
  const { rows, last } = await listAudit(ctx, {
    accountId,
    personId: null,
    action: query.action ?? null,
    limit: query.limit,
    before: readIdCursor<AuditId>(query.cursor),
  });
  const nameOf = await readObjectNames(ctx, accountId, rows);
  return {
    items: rows.map((row) => {
      const isOperator = isOfStaff(row);
      const objectName = nameOf(row);
      const { address, requestId } = isOperator ? { address: null, requestId: null } : row;
      const actor = viewActor(row, isOperator);
      return { ...viewEntry(row), objectName, address, requestId, actor };
    }),
    nextCursor: last,
  };
}

/**
 * Returns the audit that operators read: of all accounts of the shard, of their people and of the
 * deployment.
 */
export async function readStaffAudit(
  ctx: AuditContext,
  query: z.output<typeof staffAuditQuery>,
): Promise<z.output<typeof staffAuditPage>> {
  const { accountId, personId, action = null, cursor, limit } = query;
  const { rows, last } = await listAudit(ctx, {
    accountId: accountId === undefined ? null : readId<AccountId>("accountId", accountId),
    personId: personId === undefined ? null : readId<PersonId>("personId", personId),
    action,
    limit,
    before: readIdCursor<AuditId>(cursor),
  });
  return {
    items: rows.map((row) => ({
      ...viewEntry(row),
      accountId: row.accountId,
      reason: row.reason,
      actor: { kind: row.actorKind, id: row.actor, name: row.actorName, email: row.actorEmail },
    })),
    nextCursor: last,
  };
}

/** The actions on an account that only the staff can do, including people who have left the staff. */
export const staffActions =
  "^(account\\.(create|suspend|resume|change|erase)|credits\\.\\w+|task\\.fail|asset\\.(approve|refuse|undo|revoke|print_link)|declaration\\.read)$";
const staffPattern = new RegExp(staffActions);

/** Whether the staff acted. Entries from before this was recorded are recognized by their action and actor. */
function isOfStaff({ asStaff, actorKind, action, isMember, isStaff }: AuditRow): boolean {
  if (asStaff !== null) return asStaff;
  if (actorKind === "command" || actorKind === "service" || staffPattern.test(action)) return true;
  // An owner or somebody of the staff, who may have left either: whoever is no member is not named.
  return !isMember && (isStaff || action === "invitation.create");
}

function viewActor({ actorKind, actor, actorName }: AuditRow, isOperator: boolean) {
  if (isOperator || actorKind === "command" || actorKind === "service")
    return { kind: "operator" as const, id: null, name: null };
  return { kind: actorKind, id: actor, name: actorName };
}

function viewEntry({ id, createdAt, action, object, before, after, address, requestId }: AuditRow) {
  return { id, time: createdAt.getTime(), action, object, before, after, address, requestId };
}

function readId<Id extends AccountId | PersonId>(param: string, text: string): Id {
  const id = parseId<Id>(text);
  if (id === undefined) throw invalid(param, "must be an id");
  return id;
}
