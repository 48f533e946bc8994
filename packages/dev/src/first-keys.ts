import { createHash } from "node:crypto";
import { withClient } from "./services/with-client.ts";
import type { Stack } from "./stack.ts";

export interface MoreKeys {
  /** The test key. Its tasks run on the emulated vendors and cost nothing. */
  readonly test: string;
  /** Has a budget, for an agent over MCP. */
  readonly agent: string;
}

export const agentCreditsMax = 300;
/** The scopes of the further keys. A key gives another only scopes that both name. */
const scopes = ["tasks", "assets", "webhooks", "account"];
/** A key without scopes has all of them but `keys`. */
const setScopes = "update api_keys set scopes = $2 where hash = $1";

/** Lets the first key manage keys, and creates two more with it. */
export async function createMoreKeys(
  stack: Pick<Stack, "databaseOwnerUrl" | "apiUrl">,
  key: string,
): Promise<MoreKeys> {
  const hash = createHash("sha256").update(key).digest();
  await withClient(stack.databaseOwnerUrl, (db) =>
    db.query(setScopes, [hash, [...scopes, "keys"]]),
  );
  const create = async (body: object): Promise<string> => {
    const response = await fetch(`${stack.apiUrl}/api/v1/account/keys`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { key?: string; message?: string };
    if (answer.key === undefined) throw new Error(`no key was created: ${answer.message}`);
    return answer.key;
  };
  return {
    test: await create({ name: "tests", mode: "test", scopes }),
    agent: await create({ name: "agent", creditsMax: agentCreditsMax, scopes }),
  };
}
