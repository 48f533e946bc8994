import assert from "node:assert";
import { freePort } from "@zoetrope/dev/services/ports.ts";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { Zoetrope } from "@zoetrope/sdk";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { connectHttp } from "./connect.ts";
import { type Message, postMessage } from "./post-message.ts";

/** One stack for all tests of this folder. */
interface Bed {
  stack: Stack;
  scratch: Scratch;
}
let opened: Bed | undefined;

export async function openBed(): Promise<void> {
  const scratch = await makeScratch("mcp");
  const port = String(await freePort());
  const links = { API_PORT: port, PUBLIC_URL: `http://localhost:${port}` }; // as dev prints them
  const stack = await startStack({
    dir: scratch.path,
    serverEnv: { POLL_FIRST_MS: "500", REVIEW_IMAGE: "manual", ...links },
    sandboxEnv: { SANDBOX_DRAFT: "true" },
  });
  opened = { stack, scratch };
}

export async function closeBed(): Promise<void> {
  await opened?.stack.stop();
  await opened?.scratch.remove();
}

export function bed(): Bed {
  assert(opened !== undefined);
  return opened;
}

export const credits = 1_000;
/** Costs 3 credits. */
export const image = { model: "image-plus-2", inputs: { prompt: "a fox", resolution: "1k" } };
export const approve = { action: "accept", content: { approve: true } } as const;

export async function openAccount(limits: { budget?: number; scopes?: string[] } = {}) {
  const { stack } = bed();
  const { accountId, key } = await stack.openAccount({ name: "mcp", credits, openTasksMax: 20 });
  const { budget = null, scopes = null } = limits;
  await withClient(stack.databaseOwnerUrl, (db) =>
    db.query("update api_keys set credits_max = $1, scopes = $2 where account_id = $3", [
      budget,
      scopes,
      accountId,
    ]),
  );
  const service = new Zoetrope({ baseUrl: stack.apiUrl, apiKey: key });
  const count = async () => (await service.tasks.list()).items.length;
  return { key, service, count };
}

export const connect = (key: string, options: Parameters<typeof connectHttp>[2] = {}) =>
  connectHttp(bed().stack.apiUrl, key, options);

export const post = (key: string, message: Message) =>
  postMessage(bed().stack.apiUrl, key, message);

export const callOf = (name: string, given: object, id = 7): Message => ({
  id,
  method: "tools/call",
  params: { name, arguments: given },
});
