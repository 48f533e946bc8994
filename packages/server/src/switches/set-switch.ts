import { recordAudit } from "../audit/record-audit.ts";
import { type DirectoryDb, type DirectoryTx, inTransaction } from "../db/database.ts";
import type { AuditValues } from "../db/tables/audit.ts";
import { ApiError } from "../errors.ts";
import type { Actor } from "../ids.ts";
import { deleteSwitch, lockSwitch, putSwitch } from "./queries.ts";
import { type Banner, bannerName, modelPrefix } from "./switches.ts";

type Change = "banner" | "model";

/** Shows a banner, in place of the one before; null removes it. */
export async function setBanner(
  { db }: { db: DirectoryDb },
  actor: Actor,
  banner: Banner | null,
  reason?: string,
): Promise<void> {
  await inTransaction(db, (tx) =>
    change(tx, actor, { what: "banner", name: bannerName, value: banner, reason }),
  );
}

/** Switches a model off for new tasks, or on again; those that run are not touched. */
export async function switchModel(
  { db }: { db: DirectoryDb },
  actor: Actor,
  model: string,
  off: { message: string | null } | null,
  reason?: string,
): Promise<void> {
  const name = modelPrefix + model;
  await inTransaction(db, (tx) => change(tx, actor, { what: "model", name, value: off, reason }));
}

async function change(
  tx: DirectoryTx,
  actor: Actor,
  to: { what: Change; name: string; value: object | null; reason: string | undefined },
): Promise<void> {
  const { what, name, value, reason } = to;
  const before = await lockSwitch(tx, name);
  if (value === null && before === undefined) throw new ApiError("switch_not_found");
  if (value === null) await deleteSwitch(tx, name);
  else await putSwitch(tx, name, value);
  const verb =
    what === "banner" ? (value === null ? "remove" : "show") : value === null ? "on" : "off";
  await recordAudit(tx, actor, {
    accountId: null,
    action: `${what}.${verb}`,
    object: name,
    before: before === undefined ? undefined : flat(before),
    after: value === null ? undefined : flat(value),
    reason,
  });
}

/** The members of a stored value, those of its members too. */
function flat(value: unknown): AuditValues {
  const members = Object.entries(value ?? {}) as [string, unknown][];
  const named = members.map(([name, member]): AuditValues => {
    if (typeof member === "object" && member !== null) return flat(member);
    return {
      [name]: typeof member === "number" ? member : member === null ? null : String(member),
    };
  });
  return Object.assign({}, ...named) as AuditValues;
}
