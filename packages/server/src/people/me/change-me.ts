import { recordAudit } from "../../audit/record-audit.ts";
import type { DirectoryContext } from "../../context.ts";
import { inTransaction } from "../../db/database.ts";
import type { Language } from "../../db/tables/people.ts";
import { withoutUndefined } from "../../http/without-undefined.ts";
import { updatePerson } from "../queries.ts";
import { personActor, type RequestFacts } from "../request-facts.ts";
import type { Session } from "../session-queries.ts";

export async function changeMe(
  ctx: DirectoryContext,
  { personId }: Session,
  changes: { name?: string | undefined; language?: Language | undefined },
  facts: RequestFacts,
): Promise<void> {
  const update = withoutUndefined(changes);
  if (Object.keys(update).length === 0) return;
  await inTransaction(ctx.db, async (tx) => {
    await updatePerson(tx, personId, update);
    const change = { accountId: null, action: "person.change", object: personId } as const;
    await recordAudit(tx, personActor(personId, facts), { ...change, after: update });
  });
}
