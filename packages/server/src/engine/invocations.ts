import { z } from "zod";
import { createAddresses } from "./addresses.ts";

/** Work that the engine has not finished. */
export interface Invocation {
  id: string;
  service: string;
  /** The task or asset. */
  key: string;
  handler: string;
}

const callMsMax = 30_000;
const rowsSchema = z.object({
  rows: z.array(
    z.object({
      id: z.string().regex(/^inv_\w+$/),
      service: z.string(),
      key: z.string(),
      handler: z.string(),
    }),
  ),
});

/** Returns the engine's open invocations of our services, at most so many. */
export async function listInvocations(
  adminUrls: readonly string[],
  services: readonly string[],
  rowsMax: number,
): Promise<Invocation[]> {
  const names = services.map((name) => `'${name}'`).join(", ");
  const query = `select id, target_service_name as service, target_service_key as key, target_handler_name as handler
    from sys_invocation where status <> 'completed' and target_service_name in (${names}) limit ${rowsMax}`;
  const answer = await send(adminUrls, "/query", "POST", { query });
  return rowsSchema.parse(await answer.json()).rows;
}

/** Ends an invocation where it is; one that is over is no error. */
export async function killInvocation(adminUrls: readonly string[], id: string): Promise<void> {
  await send(adminUrls, `/invocations/${id}/kill`, "PATCH");
}

async function send(adminUrls: readonly string[], path: string, method: string, body?: object) {
  const answer = await createAddresses(adminUrls).tryEach((url) =>
    fetch(url + path, {
      method,
      headers: { "content-type": "application/json", accept: "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(callMsMax),
    }),
  );
  if (!answer.ok && answer.status !== 404 && answer.status !== 409)
    throw new Error(`the engine answered ${answer.status} to ${method} ${path.split("/")[1]}`);
  return answer;
}
