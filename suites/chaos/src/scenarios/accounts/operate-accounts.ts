import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import type { Stack } from "@zoetrope/dev/stack.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { controlSandbox } from "@zoetrope/testkit/sandbox-control.ts";
import type { Client } from "pg";

const jobsMsMax = 300_000;

/** A change of a vendor account, with the time of its commit. */
export interface Change {
  what: string;
  name: string;
  committedMs: number;
}

/** An operator who changes vendor accounts, and the vendor who accepts and revokes their keys. */
export function openOperator(stack: Stack, db: Client) {
  const changes: Change[] = [];

  async function change(what: string, name: string, request: () => Promise<unknown>) {
    print(`  vendors ${what} ${name}`);
    await request();
    const { rows } = await db.query<{ committedMs: number }>(
      `select (extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000)::float8 as "committedMs"
       from vendor_accounts where name = $1`,
      [name],
    );
    const committedMs = rows[0]?.committedMs ?? Number.NaN;
    changes.push({ what, name, committedMs });
    return committedMs;
  }

  const pathOf = (name: string) => `/vendor-accounts/${name}`;

  const countSubmits = async (name: string, sinceMs: number) => {
    const { rows } = await db.query<{ count: number }>(
      `select count(*)::int as count from submissions
       where vendor_account = $1 and started_at > to_timestamp($2::float8 / 1000)`,
      [name, sinceMs],
    );
    return rows[0]?.count ?? 0;
  };

  return {
    changes,
    countSubmits,
    /** The vendor accepts these keys from now on, and no other. */
    async accept(...keys: string[]): Promise<void> {
      await controlSandbox(stack.sandboxControl).acceptArkKeys(keys);
    },
    add: (name: string, apiKey: string) =>
      change("add", name, () =>
        stack.admin("POST", "/vendor-accounts", {
          name,
          kind: "ark",
          baseUrl: `${stack.sandboxUrl}/api/v3`,
          apiKey,
        }),
      ),
    rotate: (name: string, apiKey: string) =>
      change("rotate", name, () => stack.admin("POST", `${pathOf(name)}/rotate`, { apiKey })),
    pause: (name: string) =>
      change("pause", name, () => stack.admin("POST", `${pathOf(name)}/pause`, {})),
    resume: (name: string) =>
      change("resume", name, () => stack.admin("POST", `${pathOf(name)}/resume`, {})),
    remove: (name: string) => change("remove", name, () => stack.admin("DELETE", pathOf(name))),
    /** Waits until so many tasks were submitted to the account since then. */
    async untilSubmits(name: string, count: number): Promise<void> {
      const since = Date.now();
      const isReached = async () => (await countSubmits(name, since)) >= count;
      const limits = { timeoutMs: jobsMsMax, intervalMs: 250 };
      await waitUntil(`${name} got ${count} submits`, isReached, limits);
    },
    /** Waits until no task is open at the account. */
    async untilIdle(name: string): Promise<void> {
      const isIdle = async () => {
        const query = "select count(*)::int as count from open_tasks where vendor_account = $1";
        return (await db.query<{ count: number }>(query, [name])).rows[0]?.count === 0;
      };
      const limits = { timeoutMs: jobsMsMax, intervalMs: 250 };
      await waitUntil(`no task is open at ${name}`, isIdle, limits);
    },
  };
}

export type Operator = ReturnType<typeof openOperator>;
