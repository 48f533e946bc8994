import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { newId, newKey } from "./open-accounts.ts";
import { withClient } from "./services/with-client.ts";

/** Makes a request of the operator API, of which the path is below /api/admin/v1, and returns the response. */
export type AdminCall = (
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  body?: object,
) => Promise<Record<string, unknown>>;

const answerMsMax = 60_000;
const retryMsMax = 60_000;
const retryEveryMs = 250;

/** A client of the operator API. The first call has the service key issued. */
export function createAdmin(apiUrl: string, issue: () => Promise<string>): AdminCall {
  let issued: Promise<string> | null = null;
  return async (method, path, body) => {
    issued ??= issue();
    const headers = new Headers({
      authorization: `Bearer ${await issued}`,
      "idempotency-key": newId(),
    });
    if (body !== undefined) headers.set("content-type", "application/json");
    const text = body === undefined ? null : JSON.stringify(body);
    const request = { method, headers, body: text };
    /** Whether a repetition does nothing more: a grant takes the idempotency key. */
    const mayRepeat = method === "GET" || method === "PUT" || path === "/grants";
    const until = performance.now() + retryMsMax;
    for (;;) {
      const response = await ask(`${apiUrl}/api/admin/v1${path}`, request).catch((error) => {
        const isPassing = isRefused(error) || (mayRepeat && isLost(error));
        if (!isPassing || performance.now() > until) throw error;
        return null; // the api is being restarted
      });
      if (response === null) {
        await pause(retryEveryMs);
        continue;
      }
      const { status, answer } = response;
      if (status < 300) return answer;
      throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
    }
  };
}

async function ask(url: string, request: RequestInit) {
  const signal = AbortSignal.timeout(answerMsMax);
  const response = await fetch(url, { ...request, signal });
  return { status: response.status, answer: (await response.json()) as Record<string, unknown> };
}

/** Nothing was done. */
function isRefused(error: unknown): boolean {
  return codeOf(error) === "ECONNREFUSED";
}

/** Nobody knows whether it was done. */
function isLost(error: unknown): boolean {
  return ["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"].includes(codeOf(error));
}

function codeOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } };
  return String(cause?.code);
}

/** Issues a key with all scopes straight in the database, for an operator of long ago whom it makes up. */
export async function issueServiceKey(databaseOwnerUrl: string): Promise<string> {
  const key = newKey(0, "zoe_ops_");
  const personId = newId();
  await withClient(databaseOwnerUrl, async (db) => {
    await db.query("insert into people (id, email, name) values ($1, $2, 'Operator')", [
      personId,
      `${personId}@example.com`,
    ]);
    await db.query(
      `insert into staff (person_id, role, created_at)
       values ($1, 'operator', now() - interval '30 days')`,
      [personId],
    );
    await db.query(
      `insert into service_keys (id, name, hint, hash, scopes, issued_by, expires_at)
       values ($1, 'stack', $2, $3, $4, $5, now() + interval '1 day')`,
      [newId(), key.slice(0, 12), createHash("sha256").update(key).digest(), scopes, personId],
    );
  });
  return key;
}

const scopes = [
  "accounts",
  "keys",
  "credits",
  "credits:approve",
  "tasks",
  "vendors",
  "people",
  "review",
  "switches",
  "prices",
  "audit:read",
  "system",
];
