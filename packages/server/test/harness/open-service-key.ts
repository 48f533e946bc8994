import type { ServiceScope } from "../../src/db/tables/admin.ts";
import type { PersonId, ServiceKeyId } from "../../src/ids.ts";
import { issueServiceKey } from "../../src/people/staff/service-keys/issue-service-key.ts";
import type { TestBed } from "./test-context.ts";

/** A service key of an operator, and the headers of a program that calls with it. */
export async function openServiceKey(
  { ctx }: Pick<TestBed, "ctx">,
  { personId }: { personId: PersonId },
  scopes: ServiceScope[],
  networks: string[] | null = null,
): Promise<{ serviceKeyId: ServiceKeyId; headers: Record<string, string> }> {
  const actor = { kind: "person", personId, address: null, requestId: null } as const;
  const wanted = { name: "nightly", scopes, networks, expiresInDays: 1 };
  const { serviceKeyId, key } = await issueServiceKey(ctx, actor, wanted);
  return { serviceKeyId, headers: { authorization: `Bearer ${key}` } };
}
