import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import type { FreshDatabase } from "../harness/fresh-database.ts";

/** A point at which a transaction can be broken: right after it has written a row, or as it commits. */
export type CrashPoint = (typeof writes)[number] | "commit";

const writes = [
  "update on accounts",
  "insert on transfers",
  "insert on entries",
  "update on api_keys",
  "insert on tasks",
  "update on tasks",
  "insert on open_tasks",
  "delete on open_tasks",
  "insert on idempotency_keys",
  "insert on deliveries",
  "insert on open_deliveries",
  "insert on usage_hours",
  "insert on usage_days",
] as const;

/** Held by the test while a transaction is to stand still. Advisory locks are per database. */
const gate = 1;
const waitMsMax = 600_000;

const machinery = `
  create table crash_plan (account_id uuid primary key, point text not null, fault text not null);
  create function crash_here() returns trigger language plpgsql security definer set search_path = public as $$
  declare
    touched jsonb := to_jsonb(coalesce(new, old));
    planned text := (select fault from crash_plan where point = tg_argv[0]
                     and account_id = coalesce(touched ->> 'account_id', touched ->> 'id')::uuid);
  begin
    if planned = 'raise' then
      raise exception 'crash point: %', tg_argv[0];
    elsif planned = 'stall' then
      perform set_config('lock_timeout', '0', true); -- the test decides for how long
      perform pg_advisory_xact_lock(${gate});
    end if;
    return null;
  end
  $$;
  ${writes.map((write, n) => `create trigger crash_${n} after ${write} for each row execute function crash_here('${write}');`).join("\n")}
  create constraint trigger crash_at_commit after insert or delete on open_tasks
    deferrable initially deferred for each row execute function crash_here('commit');`;

/** Faults on demand inside the transactions of one account, in a database that is the test's own. */
export async function installCrashPoints(database: FreshDatabase) {
  await database.sql(machinery);
  const plan = (accountId: string, point: CrashPoint, fault: "raise" | "stall") =>
    database.sql("insert into crash_plan values ($1, $2, $3)", [accountId, point, fault]);
  const until = (what: string, query: string, values: unknown[] = []) =>
    waitUntil(what, async () => (await database.sql(query, values)).length > 0, {
      timeoutMs: waitMsMax,
      intervalMs: 5,
    });

  return {
    until,
    /** Every try of the account fails there, until the points are cleared. */
    raise: (accountId: string, point: CrashPoint) => plan(accountId, point, "raise"),

    /** The account's next transaction stands still there, until the gate is opened. */
    async stall(accountId: string, point: CrashPoint): Promise<void> {
      await database.sql("select pg_advisory_lock($1)", [gate]);
      await plan(accountId, point, "stall");
    },

    /** Waits until a transaction has reached its point; gives the pid of the database's process. */
    async stalled(): Promise<number> {
      const query = `select pid from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`;
      await until("a transaction stands still at its crash point", query);
      const [row] = await database.sql<{ pid: number }>(query);
      if (row === undefined) throw new Error("the transaction did not stay at its crash point");
      return row.pid;
    },

    open: () => database.sql("select pg_advisory_unlock($1)", [gate]),

    someoneWaitsFor: (pid: number) =>
      until(
        "another transaction waits for the one that stands still",
        "select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))",
        [pid],
      ),

    gone: (pid: number) =>
      until(
        "the database has ended what it did for the dead process",
        "select where not exists (select from pg_stat_activity where pid = $1)",
        [pid],
      ),

    async clear(): Promise<void> {
      await database.sql("select pg_advisory_unlock_all()");
      await database.sql("delete from crash_plan");
    },
  };
}
