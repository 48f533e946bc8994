import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import type { Stack } from "@zoetrope/dev/stack.ts";
import { print } from "@zoetrope/testkit/print.ts";
import type { Client } from "pg";

const jobsMsMax = 300_000;

/** A change of a vendor account, with the time of its commit. */
export interface Change {
  what: string;
  name: string;
  committedMs: number;
}

/** An operator who changes vendor accounts, and the vendor who accepts and revokes their keys. */
export function openOperator(stack: Stack, db: Client, dir: string) {
  const changes: Change[] = [];

  async function change(what: string, name: string, ...options: string[]): Promise<number> {
    print(`  vendor ${what} --name ${name}`);
    await stack.operate("vendor", what, "--name", name, ...options);
    const { rows } = await db.query<{ committedMs: number }>(
      `select (extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000)::float8 as "committedMs"
       from vendor_accounts where name = $1`,
      [name],
    );
    const committedMs = rows[0]?.committedMs ?? Number.NaN;
    changes.push({ what, name, committedMs });
    return committedMs;
  }

  async function keyFile(key: string): Promise<string[]> {
    const path = join(dir, key);
    await writeFile(path, `${key}\n`, { mode: 0o600 });
    return ["--key-file", path];
  }

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
      const response = await fetch(`${stack.sandboxUrl}/_sandbox/ark-keys`, {
        method: "PUT",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ keys }),
      });
      if (!response.ok) throw new Error(`the sandbox answered ${response.status}`);
    },
    add: async (name: string, key: string) =>
      change(
        "add",
        ...[name, "--kind", "ark", "--base-url", `${stack.sandboxUrl}/api/v3`],
        ...(await keyFile(key)),
      ),
    rotate: async (name: string, key: string) => change("rotate", name, ...(await keyFile(key))),
    pause: (name: string) => change("pause", name),
    resume: (name: string) => change("resume", name),
    remove: (name: string) => change("remove", name),
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
