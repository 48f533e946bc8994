import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";

interface RegisterOptions {
  readonly force?: boolean;
  readonly timeoutMs?: number;
}

/**
 * Registers a worker with Restate and returns the id of the deployment. Repeats while the worker or
 * the server cannot be reached yet; a refusal by Restate (4xx) fails at once.
 *
 * restate-server 1.7 treats a URL that it knows already as follows (the URL is compared as written,
 * up to a final slash; `localhost` and `127.0.0.1` are two deployments):
 * - without `force` it returns 200 with what it has stored and does not call the worker. It succeeds
 *   even if the worker is dead, handlers added since stay unknown (404 at the ingress), and if
 *   another deployment has taken the services over, it keeps them;
 * - with `force` it asks the worker again, replaces the stored description under the same id, raises
 *   the revision, and new invocations go to this deployment. Invocations under way meet the new code.
 * A URL it does not know gives 201 and takes over the services, also when handlers have disappeared.
 * A worker that does not listen gives 500 META0003, after 1.7 s of Restate's own attempts.
 */
export async function registerWorker(
  adminUrl: string,
  workerUrl: string,
  { force = false, timeoutMs = 120_000 }: RegisterOptions = {},
): Promise<string> {
  let answer = { status: 0, text: "" };
  const register = async (signal: AbortSignal) => {
    const response = await fetch(`${adminUrl}/deployments`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ uri: workerUrl, force }),
      // Restate drops a registration whose caller hangs up; one that we gave up on and that still
      // took effect could take the services away from a worker that registered since.
      signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
    });
    answer = { status: response.status, text: await response.text() };
    if (answer.status >= 500) throw new Error(`${answer.status} ${answer.text}`);
    return true;
  };
  await waitUntil(`the worker at ${workerUrl} is registered`, register, {
    timeoutMs,
    intervalMs: 100,
  });
  const body: unknown = answer.status < 300 ? JSON.parse(answer.text) : undefined;
  if (!isObject(body) || !("id" in body) || typeof body.id !== "string") {
    throw new Error(`Restate refused ${workerUrl}: ${answer.status} ${answer.text}`);
  }
  return body.id;
}

/**
 * Asks Restate's tables (sys_invocation, sys_deployment, state and so on) in SQL. Reads only, and
 * not a snapshot across partitions.
 */
export async function queryEngine(
  adminUrl: string,
  sql: string,
): Promise<Record<string, unknown>[]> {
  const response = await fetch(`${adminUrl}/query`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ query: sql }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`Restate refused the query: ${response.status} ${text}`);
  const body: unknown = JSON.parse(text);
  if (!isObject(body) || !("rows" in body) || !Array.isArray(body.rows)) {
    throw new Error(`unexpected answer from Restate: ${text.slice(0, 200)}`);
  }
  return body.rows;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
